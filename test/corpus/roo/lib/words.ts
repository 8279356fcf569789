export function words(text: string): string[] {
	return text.toLowerCase().match(/[a-z]+/g) ?? []
}
