import type { Message, MessageItem } from '@stoa/mail-model/messages.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { lazyAction } from '@stoa/ui/shell/lazy-action.ts'
import { useQuery } from '@tanstack/react-query'
import {
  Ban,
  CodeXml,
  Download,
  Ellipsis,
  Filter,
  Flag,
  Forward,
  ListTree,
  Mail,
  MailMinus,
  PenLine,
  Printer,
  Reply,
  ReplyAll,
  Trash2,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useBlockSender } from '../actions/block-sender.ts'
import { useMessageActions } from '../actions/use-message-actions.ts'
import { compose } from '../compose/compose.ts'
import { nameOf, subjectOf } from '../people.ts'
import { foldersQuery, mailboxQuery } from '../queries.ts'
import { download } from './files.ts'
import type { Writing } from './use-writing.ts'

const load = {
  source: () => import('./source-dialog.tsx'),
  headers: () => import('./headers-dialog.tsx'),
  file: () => import('./file-like-dialog.tsx'),
}
const SourceDialog = lazy(async () => ({ default: (await load.source()).SourceDialog }))
const HeadersDialog = lazy(async () => ({ default: (await load.headers()).HeadersDialog }))
const FileLikeDialog = lazy(async () => ({ default: (await load.file()).FileLikeDialog }))

type MessageMenuProps = {
  item: MessageItem
  message: Message | undefined
  writing: Writing
  onPrint: () => void
  onGone: () => void
  /** Set if the mailing list of the message offers to unsubscribe. */
  onUnsubscribe: (() => void) | undefined
}

/** Everything else that can be done with one message. */
export const MessageMenu = ({ item, message, writing, onPrint, onGone, onUnsubscribe }: MessageMenuProps) => {
  const actions = useMessageActions()
  const { data: folders } = useQuery(foldersQuery)
  const [dialog, setDialog] = useState<'source' | 'headers' | 'file' | 'delete'>()
  const trash = folders?.data.find(({ role }) => role === 'trash')?.id
  const isThrown = trash !== undefined && item.folder_ids.every((id) => id === trash)
  const target = { ids: [item.id] }
  const open = (name: keyof typeof load) => void lazyAction(load[name], () => setDialog(name))
  const close = () => setDialog(undefined)
  const from = item.from ? nameOf(item.from) : 'unknown sender'
  return (
    <>
      <Menu trigger={<IconButton size="sm" label={`More actions for the message from ${from}`} icon={<Ellipsis />} />}>
        <MenuItem icon={<Reply />} shortcut="r" onSelect={() => writing('reply', item.id)}>
          Reply
        </MenuItem>
        <MenuItem icon={<ReplyAll />} shortcut="a" onSelect={() => writing('reply-all', item.id)}>
          Reply to all
        </MenuItem>
        <MenuItem icon={<Forward />} shortcut="f" onSelect={() => writing('forward', item.id)}>
          Forward
        </MenuItem>
        {item.from ? <WriteToSender item={item} /> : null}
        <MenuSeparator />
        <MenuItem icon={<Flag />} onSelect={() => void actions.flag(target, !item.flags.flagged)}>
          {item.flags.flagged ? 'Unflag' : 'Flag'}
        </MenuItem>
        <MenuItem icon={<Mail />} onSelect={() => void actions.markSeen(target, !item.flags.seen)}>
          {item.flags.seen ? 'Mark message as unread' : 'Mark message as read'}
        </MenuItem>
        <MenuItem icon={<Filter />} disabled={!message} onSelect={() => open('file')}>
          Filter messages like this…
        </MenuItem>
        {item.from ? <BlockSender email={item.from.email} /> : null}
        {onUnsubscribe ? (
          <MenuItem icon={<MailMinus />} onSelect={onUnsubscribe}>
            Unsubscribe…
          </MenuItem>
        ) : null}
        <MenuSeparator />
        <MenuItem icon={<Printer />} onSelect={onPrint}>
          Print
        </MenuItem>
        <MenuItem icon={<Download />} onSelect={() => download(`/api/mail/messages/${item.id}/raw`, 'message.eml')}>
          Download as .eml
        </MenuItem>
        <MenuItem icon={<CodeXml />} onSelect={() => open('source')}>
          View source
        </MenuItem>
        <MenuItem icon={<ListTree />} disabled={!message} onSelect={() => open('headers')}>
          Show all headers
        </MenuItem>
        <MenuSeparator />
        {isThrown ? (
          <MenuItem icon={<Trash2 />} danger onSelect={() => setDialog('delete')}>
            Delete message permanently…
          </MenuItem>
        ) : (
          <MenuItem
            icon={<Trash2 />}
            danger
            onSelect={() => {
              void actions.trash(target)
              onGone()
            }}
          >
            Delete message
          </MenuItem>
        )}
      </Menu>
      <Suspense>
        {dialog === 'source' ? <SourceDialog item={item} onClose={close} /> : null}
        {dialog === 'headers' && message ? <HeadersDialog message={message} onClose={close} /> : null}
        {dialog === 'file' && message ? <FileLikeDialog message={message} onClose={close} /> : null}
      </Suspense>
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title="Delete this message permanently?"
        consequence={`“${subjectOf(item)}” from ${from} is deleted. You can restore it for 30 days in Settings.`}
        confirmLabel="Delete permanently"
        onConfirm={() => {
          void actions.deleteForever(target)
          onGone()
        }}
      />
    </>
  )
}

const WriteToSender = ({ item: { from } }: { item: MessageItem }) =>
  from ? (
    <MenuItem icon={<PenLine />} onSelect={() => compose({ kind: 'new', to: [from] })}>
      New message to {nameOf(from)}
    </MenuItem>
  ) : null

/** "Block sender" for menus; not for one's own mail. */
const BlockSender = ({ email }: { email: string }) => {
  const { data: mailbox } = useQuery({ ...mailboxQuery, refetchOnMount: false })
  const block = useBlockSender()
  if (mailbox?.email.toLowerCase() === email.toLowerCase()) return null
  return (
    <MenuItem icon={<Ban />} onSelect={() => void block(email)}>
      Block sender
    </MenuItem>
  )
}
