const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of an HTML text, near enough to search in. Linear, and never fails. */
export const htmlText = (html: string): string => {
  const pieces: string[] = []
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    if (open < 0) {
      pieces.push(html.slice(at))
      break
    }
    pieces.push(html.slice(at, open))
    const end = afterMarkup(html, open)
    if (/^<\/?(?:br|p|div|tr|td|th|li|h[1-6]|table|ul|ol|blockquote)\b/i.test(html.slice(open, open + 12)))
      pieces.push('\n')
    at = end
  }
  return readEntities(pieces.join(''))
}

const afterMarkup = (html: string, open: number): number => {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4)
  const hidden = /^<(script|style|title)\b/i.exec(html.slice(open, open + 10))?.[1]
  const close = after(html, '>', open)
  return hidden ? afterElement(html, hidden.toLowerCase(), close) : close
}

const after = (html: string, what: string, from: number): number => {
  const found = html.indexOf(what, from)
  return found < 0 ? html.length : found + what.length
}

const afterElement = (html: string, name: string, from: number): number => {
  const end = new RegExp(`</${name}[^>]*>?`, 'gi')
  end.lastIndex = from
  return end.exec(html) ? end.lastIndex : html.length
}

const readEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return point > 0x10ffff ? whole : String.fromCodePoint(point)
    },
  )
