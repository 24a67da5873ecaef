import { SendersList } from '../../senders/senders-list.tsx'
import { ownSenders } from '../acts/block-sender.ts'

/** Whose mail goes to Junk, and whose never does. */
export const SendersSection = () => (
  <SendersList
    api={ownSenders}
    description="Mail from blocked senders goes to Junk. Mail from allowed senders never does, as long as it passes SPF or DKIM."
    allowLabel="Allow: never treat as junk"
    initialAction="block"
  />
)
