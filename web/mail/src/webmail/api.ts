import type { Send } from '@stoa/ui/request/request.ts'
import { isSignedOut, send } from '../api.ts'

/** Called when a request shows that the session of the mailbox has ended. */
export const onMailboxSignedOut = (listener: () => void): void => {
  notifySignedOut = listener
}

let notifySignedOut = (): void => undefined

/** Asks the service as the owner of the mailbox; an ended session leads to the sign-in of the webmail. */
export const sendMailbox: Send = async (method, path, options) => {
  try {
    return await send(method, path, options)
  } catch (error) {
    if (isSignedOut(error)) notifySignedOut()
    throw error
  }
}
