/** A color as people write it as the service stores it; the text itself when it is none. */
export const readColor = (typed: string): string | null => {
  const text = typed.trim().toLowerCase()
  if (text === '') return null
  if (/^(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(text)) return `#${text}`
  return fromRgb(text) ?? typed
}

/** The color as the browser's picker takes it: six digits. Undefined when the text is no color. */
export const pickerColor = (text: string): string | undefined => {
  const [, digits] = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text) ?? []
  if (digits === undefined) return undefined
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits.slice(0, 6)
  return `#${six.toLowerCase()}`
}

/** What the picker chose, with the transparency that the color had. */
export const keepTransparency = (picked: string, before: string): string => {
  const [, alpha = ''] = /^#[0-9a-f]{6}([0-9a-f]{2})$/i.exec(before) ?? []
  return `${picked}${alpha}`.toLowerCase()
}

const fromRgb = (text: string): string | undefined => {
  const [, ...parts] = /^rgb\((\d{1,3})[,\s]\s*(\d{1,3})[,\s]\s*(\d{1,3})\)$/.exec(text) ?? []
  const channels = parts.map(Number)
  if (channels.length !== 3 || channels.some((channel) => channel > 255)) return undefined
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
