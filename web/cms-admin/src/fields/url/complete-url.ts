import { url } from '@stoa/cms-model/fields/types/url.ts'

/** What was meant by an address without its beginning, such as `example.com/a`; the text itself when that is unclear. */
export const completeUrl = (text: string, protocols: readonly string[]): string => {
  const address = text.trim()
  if (address === '' || isRight(address, protocols)) return address
  if (!/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]|$)/u.test(address)) return text
  const start = ['https', 'http'].find((name) => protocols.includes(name))
  const completed = `${start}://${address}`
  return start !== undefined && isRight(completed, protocols) ? completed : text
}

/** Where the address leads when someone wants to see it; undefined for paths of the website and for mistakes. */
export const openableUrl = (text: string, protocols: readonly string[]): string | undefined =>
  /^https?:/i.test(text) && isRight(text, protocols) ? text : undefined

const isRight = (text: string, protocols: readonly string[]): boolean =>
  url.check(text, { protocols: [...protocols] }, '').length === 0
