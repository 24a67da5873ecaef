import { SendersList } from '../../senders/senders-list.tsx'
import { ownSenders } from '../acts/block-sender.ts'

/** Whose mail goes to Junk, and whose never does. */
export const SendersSection = () => (
  <SendersList
    api={ownSenders}
    description="Mail from blocked senders goes to Junk. Allowed senders never do, as long as their mail is authenticated."
    allowLabel="Allow: never treat as junk"
    initialAction="block"
  />
)
