import { CalendarClock, CalendarX2, Copy, ExternalLink, Eye, Globe, History, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useCommands } from '../../registry/commands.ts'
import { nameOf } from '../session/labels.ts'
import { isDirty } from '../session/session-state.ts'
import { TrashDialog } from '../trash-dialog.tsx'
import { useEditor } from './editor-context.ts'
import { PublishDialog, UnpublishDialog } from './publish-dialog.tsx'
import { useEntryActions } from './use-entry-actions.ts'
import { usePreview } from './use-preview.tsx'

type Asked = 'publish' | 'schedule' | 'unpublish' | 'trash'

/** What can be done with the open entry, for the command menu. */
export const EntryCommands = () => {
  const { type, session, state, rights, canWrite, showHistory } = useEditor()
  const actions = useEntryActions()
  const preview = usePreview()
  const [asked, setAsked] = useState<Asked>()
  const { entry } = state
  const close = () => setAsked(undefined)
  const isHere = entry !== null && entry.deletedAt === null
  const isLive = entry?.status === 'published'
  const hasNews = !isLive || entry.pending || isDirty(state)
  const publishes = canWrite && rights.publish
  const url = isLive ? entry.url : null
  const commands = [
    publishes &&
      hasNews && {
        id: 'entry-publish',
        label: isLive ? 'Publish changes…' : 'Publish…',
        icon: <Globe aria-hidden />,
        keywords: ['live', 'release'],
        shortcut: 'mod+shift+p',
        onRun: () => setAsked('publish'),
      },
    publishes &&
      hasNews && {
        id: 'entry-schedule',
        label: 'Schedule…',
        icon: <CalendarClock aria-hidden />,
        keywords: ['later', 'time', 'publish'],
        onRun: () => setAsked('schedule'),
      },
    canWrite && {
      id: 'entry-preview',
      label: 'Preview',
      icon: <Eye aria-hidden />,
      keywords: ['website', 'page'],
      onRun: preview.open,
    },
    canWrite &&
      isDirty(state) && {
        id: 'entry-save',
        label: 'Save',
        icon: <Save aria-hidden />,
        shortcut: 'mod+s',
        onRun: () => void session.save(),
      },
    url !== null && {
      id: 'entry-view',
      label: 'View on website',
      icon: <ExternalLink aria-hidden />,
      onRun: () => void window.open(url, '_blank', 'noreferrer'),
    },
    isHere &&
      rights.write &&
      type.kind === 'collection' && {
        id: 'entry-duplicate',
        label: 'Duplicate',
        icon: <Copy aria-hidden />,
        keywords: ['copy'],
        onRun: () => void actions.duplicate(),
      },
    isHere && {
      id: 'entry-history',
      label: 'Show history',
      icon: <History aria-hidden />,
      keywords: ['revisions'],
      onRun: showHistory,
    },
    isHere &&
      publishes &&
      isLive && {
        id: 'entry-unpublish',
        label: 'Unpublish…',
        icon: <CalendarX2 aria-hidden />,
        onRun: () => setAsked('unpublish'),
      },
    isHere &&
      rights.move &&
      state.conflict === null &&
      !state.isSignedOut && {
        id: 'entry-trash',
        label: 'Move to trash',
        icon: <Trash2 aria-hidden />,
        keywords: ['delete', 'remove'],
        onRun: () => setAsked('trash'),
      },
  ]
  useCommands(
    `“${nameOf(state.values)}”`,
    commands.filter((command) => command !== false),
  )
  return (
    <>
      {asked === 'publish' ? <PublishDialog onClose={close} /> : null}
      {asked === 'schedule' ? <PublishDialog initially="later" onClose={close} /> : null}
      {asked === 'unpublish' ? <UnpublishDialog onClose={close} /> : null}
      {asked === 'trash' && entry ? <TrashDialog entry={entry} onClose={close} onConfirm={actions.trash} /> : null}
      {preview.dialog}
    </>
  )
}
