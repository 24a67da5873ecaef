/** Stands for a name that cannot be decoded: no folder name contains DEL. */
export const NO_NAME = '\x7f'

/** A folder name from a client in modified UTF-7 (RFC 3501 §5.1.3); `NO_NAME` if it is not written in it. */
export const decodeMailboxName = (name: string): string => {
  if (/[^\x20-\x7e]/.test(name)) return NO_NAME
  if (!name.includes('&')) return name
  let isGood = true
  const decoded = name.replace(/&([A-Za-z0-9+,]*)(-?)/g, (_, base64: string, end: string) => {
    const text = base64 === '' ? '&' : decodeShifted(base64)
    isGood &&= end !== '' && text !== null
    return text ?? ''
  })
  return isGood ? decoded : NO_NAME
}

/** A folder name for a client: UTF-8 once that was agreed on, else modified UTF-7. */
export const encodeMailboxName = (name: string, { isUtf8 }: { isUtf8: boolean }): string =>
  isUtf8 ? name : name.replace(/&|[^\x20-\x7e]+/g, (run) => (run === '&' ? '&-' : `&${encodeShifted(run)}-`))

const encodeShifted = (text: string): string =>
  Buffer.from(text, 'utf16le').swap16().toString('base64').replace(/=+$/, '').replaceAll('/', ',')

const decodeShifted = (base64: string): string | null => {
  const bytes = Buffer.from(base64.replaceAll(',', '/'), 'base64')
  if (bytes.length === 0 || bytes.length % 2 !== 0) return null
  const text = Buffer.from(bytes).swap16().toString('utf16le')
  // There is one way to write a name, so that no name can hide behind another (RFC 3501 §5.1.3).
  return encodeShifted(text) === base64 && text.isWellFormed() && !/[\x20-\x7e\p{Cc}]/u.test(text) ? text : null
}
