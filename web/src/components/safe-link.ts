/** Longer addresses are shown as text. */
const MAX_LENGTH = 2_000;

/** The address of a link that an untrusted author has written, if it may be followed: only complete web and mail addresses. */
export function safeLink(address: string): string | undefined {
  if (address.length > MAX_LENGTH || !/^(?:https?:\/\/[^/?#]|mailto:[^?#]*@)/i.test(address)) return undefined;
  // Browsers drop some of these characters, so that another address is opened than the one that was checked or is shown.
  if (/[\u0000-\u0020\u007f-\u00a0\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\\]/.test(address))
    return undefined;
  const url = URL.parse(address);
  // In https://good.example@evil.example, people read the wrong host.
  return url && url.username === "" && url.password === "" ? address : undefined;
}
