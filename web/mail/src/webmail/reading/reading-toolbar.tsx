import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Toolbar, ToolbarButton, ToolbarSeparator } from '@stoa/ui/button/toolbar.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import {
  AlarmClock,
  Archive,
  ChevronDown,
  ChevronUp,
  Ellipsis,
  Flag,
  FolderInput,
  Forward,
  Inbox,
  Mail,
  Printer,
  Reply,
  ReplyAll,
  ShieldAlert,
  ShieldCheck,
  Tag,
  Trash2,
  Undo2,
} from 'lucide-react'
import { useState } from 'react'
import { LabelMenu } from '../actions/label-menu.tsx'
import { MoveMenu } from '../actions/move-menu.tsx'
import { SnoozeMenu } from '../actions/snooze-menu.tsx'
import { undoLastAction, useMessageActions } from '../actions/use-message-actions.ts'
import { foldersQuery } from '../queries.ts'
import { actionIds } from './conversation.ts'
import type { Ways } from './use-ways.ts'
import type { WritingKind } from './use-writing.ts'

type ReadingToolbarProps = {
  messages: readonly MessageItem[]
  messageId: string
  ways: Ways
  /** To the message that was gone to last. */
  onWrite: (kind: WritingKind) => void
  onPrint: () => void
}

/** Actions on the open conversation: on all its messages in the same folder as the requested one. */
export const ReadingToolbar = ({ messages, messageId, ways, onWrite, onPrint }: ReadingToolbarProps) => {
  const actions = useMessageActions()
  const role = useRole(messages, messageId)
  const isPhone = useIsPhone()
  const [isAsking, setAsking] = useState(false)
  const target = { ids: actionIds(messages, messageId) }
  const about = messages.filter(({ id }) => target.ids.includes(id))
  const leave = (action: Promise<void>) => {
    void action
    ways.goOn()
  }
  return (
    <div className="layer-bar sticky top-0 flex h-11 min-w-0 items-center gap-1 border-line border-b bg-surface px-3 phone:px-1.5">
      <Toolbar label="Conversation" className="min-w-0 flex-1 overflow-x-auto py-1 touch:gap-0">
        {isPhone ? null : <WriteButtons onWrite={onWrite} />}
        {role === 'archive' || role === 'trash' ? (
          <ToolbarButton label="Move to Inbox" icon={<Inbox />} onClick={() => leave(actions.move(target, 'inbox'))} />
        ) : (
          <ToolbarButton
            label="Archive"
            shortcut="e"
            icon={<Archive />}
            onClick={() => leave(actions.archive(target))}
          />
        )}
        <ToolbarButton
          label={role === 'trash' ? 'Delete permanently' : 'Delete'}
          shortcut="#"
          icon={<Trash2 />}
          onClick={() => (role === 'trash' ? setAsking(true) : leave(actions.trash(target)))}
        />
        {role === 'sent' || role === 'drafts' ? null : (
          <ToolbarButton
            label={role === 'junk' ? 'Not junk' : 'Junk'}
            shortcut="!"
            icon={role === 'junk' ? <ShieldCheck /> : <ShieldAlert />}
            onClick={() => leave(actions.junk(target, role !== 'junk'))}
          />
        )}
        <ToolbarSeparator />
        <SnoozeMenu
          target={target}
          snoozed={role === 'snoozed'}
          onDone={ways.goOn}
          trigger={<ToolbarButton label="Snooze" shortcut="z" icon={<AlarmClock />} />}
        />
        <LabelMenu
          target={target}
          {...keywordsOf(about)}
          trigger={<ToolbarButton label="Labels" shortcut="l" icon={<Tag />} />}
        />
        <MoveMenu
          target={target}
          onDone={ways.goOn}
          trigger={<ToolbarButton label="Move to folder" shortcut="v" icon={<FolderInput />} />}
        />
        <ToolbarSeparator />
        <ToolbarButton
          label="Mark as unread"
          shortcut="shift+u"
          icon={<Mail />}
          onClick={() => {
            void actions.markSeen({ ids: [messageId] }, false)
            ways.back()
          }}
        />
        <MoreMenu {...{ messages, about, target, onPrint }} />
      </Toolbar>
      {ways.isOver ? null : (
        <Toolbar label="Message navigation" className="shrink-0">
          <ToolbarButton
            label="Previous message"
            shortcut="k"
            icon={<ChevronUp />}
            disabled={!ways.newer}
            onClick={ways.newer}
          />
          <ToolbarButton
            label="Next message"
            shortcut="j"
            icon={<ChevronDown />}
            disabled={!ways.older}
            onClick={ways.older}
          />
        </Toolbar>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={about.length === 1 ? 'Delete this message permanently?' : 'Delete this conversation permanently?'}
        consequence={`${formatCount(about.length, 'message', 'messages')} in Trash. You can restore deleted messages for 30 days in Settings.`}
        confirmLabel="Delete permanently"
        onConfirm={() => leave(actions.deleteForever(target))}
      />
    </div>
  )
}

/** On a phone they stand below. */
const WriteButtons = ({ onWrite }: { onWrite: (kind: WritingKind) => void }) => (
  <>
    <ToolbarButton label="Reply" shortcut="r" icon={<Reply />} onClick={() => onWrite('reply')} />
    <ToolbarButton label="Reply to all" shortcut="a" icon={<ReplyAll />} onClick={() => onWrite('reply-all')} />
    <ToolbarButton label="Forward" shortcut="f" icon={<Forward />} onClick={() => onWrite('forward')} />
    <ToolbarSeparator />
  </>
)

type MoreMenuProps = {
  messages: readonly MessageItem[]
  about: readonly MessageItem[]
  target: { ids: readonly string[] }
  onPrint: () => void
}

const MoreMenu = ({ messages, about, target, onPrint }: MoreMenuProps) => {
  const actions = useMessageActions()
  const isFlagged = about.some(({ flags }) => flags.flagged)
  const flagged = isFlagged ? target : { ids: target.ids.slice(-1) }
  return (
    <Menu trigger={<ToolbarButton label="More" icon={<Ellipsis />} />}>
      <MenuItem icon={<Flag />} shortcut="s" onSelect={() => void actions.flag(flagged, !isFlagged)}>
        {isFlagged ? 'Unflag' : 'Flag'}
      </MenuItem>
      <MenuItem icon={<Undo2 />} onSelect={() => void undoLastAction()}>
        Undo last action
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Printer />} shortcut="mod+p" onSelect={onPrint}>
        {messages.length > 1 ? 'Print conversation' : 'Print'}
      </MenuItem>
    </Menu>
  )
}

/** The role of the folder that the message asked for is in. */
const useRole = (messages: readonly MessageItem[], messageId: string): string | null => {
  const { data: folders } = useQuery(foldersQuery)
  const folderId = messages.find(({ id }) => id === messageId)?.folder_id
  return folders?.data.find(({ id }) => id === folderId)?.role ?? null
}

/** The keywords that all of them have, and those that only some have. */
const keywordsOf = (messages: readonly MessageItem[]): { keywords: string[]; someKeywords: string[] } => {
  const all = new Set(messages.flatMap(({ keywords }) => keywords))
  const isShared = (keyword: string) => messages.every(({ keywords }) => keywords.includes(keyword))
  return {
    keywords: [...all].filter(isShared),
    someKeywords: [...all].filter((keyword) => !isShared(keyword)),
  }
}
