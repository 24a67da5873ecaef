/** RFC 1035 §3.3: one string of a TXT record. */
const MAX_STRING = 255

/** A host name as zone files have it, which end it with a dot. */
export const absolute = (host: string): string => (host.endsWith('.') ? host : `${host}.`)

/** Strings of 255 bytes at most, each in quotes; nothing in them can end the line or the quotes. */
export const quotedText = (text: string): string => {
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / MAX_STRING)) }, (_none, index) =>
    bytes.subarray(index * MAX_STRING, (index + 1) * MAX_STRING),
  )
  return parts.map((part) => `"${[...part].map(escapeByte).join('')}"`).join(' ')
}

/** The text of quoted strings, as some providers give it back; a text without quotes is itself. */
export const unquotedText = (given: string): string => {
  if (!/^\s*"/.test(given)) return given
  const strings = [...given.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, inner = '']) => inner)
  return strings
    .join('')
    .replace(/\\(\d{3}|.)/gs, (_all, code: string) => (code.length === 3 ? String.fromCharCode(Number(code)) : code))
}

const escapeByte = (byte: number): string => {
  const letter = String.fromCharCode(byte)
  if (letter === '"' || letter === '\\') return `\\${letter}`
  return byte >= 0x20 && byte < 0x7f ? letter : `\\${String(byte).padStart(3, '0')}`
}
