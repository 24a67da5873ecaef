import { MenuItem } from '@stoa/ui/layer/menu.tsx'
import { useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { mailboxQuery } from '../queries.ts'
import { useBlockSender } from './block-sender.ts'

/** "Block sender" for menus; not for one's own mail. */
export const BlockSender = ({ email }: { email: string }) => {
  const { data: mailbox } = useQuery({ ...mailboxQuery, refetchOnMount: false })
  const block = useBlockSender()
  if (mailbox?.email.toLowerCase() === email.toLowerCase()) return null
  return (
    <MenuItem icon={<Ban />} onSelect={() => void block(email)}>
      Block sender
    </MenuItem>
  )
}
