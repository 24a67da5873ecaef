/** Longer values of a header field are not looked into for parameters. */
const MAX_LENGTH = 65_536

/** The word before the parameters of a Content-Type or Content-Disposition, in lower case. */
export const mainValue = (value: string): string => (value.split(';', 1)[0] ?? '').trim().toLowerCase()

/** The parameters of such a header field by their lower-case names (RFC 2045 §5.1, RFC 2231). */
export const parametersOf = (value: string): Map<string, string> => {
  const pieces = new Map<string, { text: string; isEncoded: boolean }[]>()
  for (const [, name = '', star, section, encoded, quotedText, plain] of value
    .slice(0, MAX_LENGTH)
    .matchAll(PARAMETER)) {
    const text = quotedText === undefined ? (plain ?? '') : quotedText.replace(/\\(.)/g, '$1')
    const list = pieces.get(name.toLowerCase()) ?? []
    const index = section === undefined ? 0 : Math.min(Number(section), 99)
    list[index] ??= { text, isEncoded: encoded !== undefined || (star !== undefined && section === undefined) }
    pieces.set(name.toLowerCase(), list)
  }
  return new Map([...pieces].map(([name, list]) => [name, joinPieces(list)]))
}

const PARAMETER = /;\s*([^\s=;*"]+)(\*(?:(\d{1,2})(\*)?)?)?\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))/g

const joinPieces = (list: readonly ({ text: string; isEncoded: boolean } | undefined)[]): string => {
  const [first] = list
  if (!first?.isEncoded) return list.map((piece) => piece?.text ?? '').join('')
  const [charset = '', , ...rest] = first.text.split("'")
  const texts = [rest.join("'"), ...list.slice(1).map((piece) => piece?.text ?? '')]
  return percentDecoded(texts.join(''), charset)
}

const percentDecoded = (text: string, charset: string): string => {
  const octets = text.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(octets, 'latin1').toString(/^iso-8859-1$/i.test(charset) ? 'latin1' : 'utf8')
}
