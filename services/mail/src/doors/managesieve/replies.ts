import { MAX_QUOTED } from './limits.ts'

/** How a command ends (RFC 5804 §1.3); `closes`: the connection does too. */
export type Reply = {
  readonly status: 'OK' | 'NO' | 'BYE'
  readonly code?: string
  readonly text: string
}

export const ok = (text: string, code?: string): Reply => ({ status: 'OK', text, ...(code ? { code } : {}) })
export const no = (text: string, code?: string): Reply => ({ status: 'NO', text, ...(code ? { code } : {}) })
export const bye = (text: string, code?: string): Reply => ({ status: 'BYE', text, ...(code ? { code } : {}) })

export const replyText = ({ status, code, text }: Reply): string =>
  `${status}${code === undefined ? '' : ` (${code})`} ${stringText(text)}\r\n`

/** A string as the server sends it: quoted, or as a literal when it has lines or is long. */
export const stringText = (text: string): string =>
  Buffer.byteLength(text) <= MAX_QUOTED && !/[\r\n\0]/.test(text)
    ? `"${text.replace(/["\\]/g, '\\$&')}"`
    : literalText(text)

export const literalText = (text: string): string => `{${Buffer.byteLength(text)}}\r\n${text}`
