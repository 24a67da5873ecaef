import { selectCommand } from '../select-folder.ts'

/** RFC 9051 §6.3.2. */
export const select = selectCommand('SELECT', { isReadOnly: false })
