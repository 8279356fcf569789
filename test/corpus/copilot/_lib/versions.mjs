export function bump(version, change) {
    const [major, minor, patch] = version.split(".").map(Number);
    if (change === "major") return `${major + 1}.0.0`;
    return change === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
