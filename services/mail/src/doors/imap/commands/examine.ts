import { selectCommand } from '../select-folder.ts'

/** RFC 9051 §6.3.3. */
export const examine = selectCommand('EXAMINE', { isReadOnly: true })
