import { bad } from './bad-command.ts'

/** A folder name from a client: UTF-8 once that was agreed on, else modified UTF-7 (RFC 3501 §5.1.3). */
export const decodeMailboxName = (name: string, { isUtf8 }: { isUtf8: boolean }): string => {
  if (isUtf8 || !name.includes('&')) return name
  return name.replace(/&([A-Za-z0-9+,]*)(-?)/g, (_, base64: string, end: string) => {
    if (end === '') return bad('The name of the folder is not well-formed')
    return base64 === '' ? '&' : decodeShifted(base64)
  })
}

/** A folder name for a client. */
export const encodeMailboxName = (name: string, { isUtf8 }: { isUtf8: boolean }): string =>
  isUtf8 ? name : name.replace(/&|[^\x20-\x7e]+/g, (run) => (run === '&' ? '&-' : `&${encodeShifted(run)}-`))

const encodeShifted = (text: string): string =>
  Buffer.from(text, 'utf16le').swap16().toString('base64').replace(/=+$/, '').replaceAll('/', ',')

const decodeShifted = (base64: string): string => {
  const bytes = Buffer.from(base64.replaceAll(',', '/'), 'base64')
  if (bytes.length === 0 || bytes.length % 2 !== 0) return bad('The name of the folder is not well-formed')
  const text = Buffer.from(bytes).swap16().toString('utf16le')
  // There is one way to write a name, so that no name can hide behind another (RFC 3501 §5.1.3).
  return encodeShifted(text) === base64 && text.isWellFormed() && !/[\x20-\x7e]/.test(text)
    ? text
    : bad('The name of the folder is not well-formed')
}
