import { EMPTY_SET } from './parse/sequence-set.ts'
import type { ImapSession } from './session.ts'

/** No folder is selected any more. */
export const unselectFolder = (session: ImapSession): void => {
  session.view?.close()
  session.view = null
  session.savedSearch = EMPTY_SET
  if (session.state === 'selected') session.state = 'signedIn'
}
