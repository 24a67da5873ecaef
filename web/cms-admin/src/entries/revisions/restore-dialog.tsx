import type { Entry, RevisionItem, SaveMode } from '@stoa/cms-model/entries.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useVersionedSave } from '../../conflict.tsx'
import { entriesKey, entryQuery, readEntry, restoreRevision } from '../queries.ts'

type RestoreDialogProps = {
  entry: Entry
  revision: RevisionItem
  /** Paths of the ticked changes; everything when it is empty. */
  keys: readonly string[]
  mayPublish: boolean
  onClose: () => void
  onRestored: (entry: Entry) => void
}

/** Asks before a revision takes the place of what is edited now, and for a live entry whether the public sees it at once. */
export const RestoreDialog = (props: RestoreDialogProps) => {
  const { entry, revision, keys, mayPublish, onClose, onRestored } = props
  const cancel = useRef<HTMLButtonElement>(null)
  const [mode, setMode] = useState<SaveMode>('draft')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const restore = useRestore(props)
  const isLive = entry.status === 'published'
  const what = keys.length === 0 ? `version ${revision.version}` : formatCount(keys.length, 'field', 'fields')

  const run = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      onRestored(await restore.run(isLive && mayPublish ? mode : undefined))
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Dialog
        open
        onOpenChange={onClose}
        role="alertdialog"
        size="sm"
        dismissible={!busy}
        title={`Restore ${what} of “${entry.title === '' ? 'Untitled' : entry.title}”?`}
        description={
          keys.length === 0
            ? `Restores the title, slug and all fields of version ${revision.version}. The current draft stays in the history; terms don't change.`
            : `Restores these fields of version ${revision.version}. Everything else stays, and the current draft is kept in the history.`
        }
        initialFocus={cancel}
        footer={
          <>
            <Button ref={cancel} disabled={busy} onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" loading={busy} onClick={() => void run()}>
              Restore {keys.length === 0 ? 'version' : what}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          {problem === undefined ? null : <Notice tone="danger">{problem}</Notice>}
          {isLive && mayPublish ? <ModeChoice mode={mode} onMode={setMode} /> : null}
        </div>
      </Dialog>
      {restore.dialog}
    </>
  )
}

const ModeChoice = ({ mode, onMode }: { mode: SaveMode; onMode: (mode: SaveMode) => void }) => (
  <ChoiceGroup label="This entry is live">
    <RadioChoice
      name="restore-mode"
      value="draft"
      chosen={mode}
      onChoose={onMode}
      label="Keep as unpublished changes"
      help="Visitors see the live version until you publish."
    />
    <RadioChoice
      name="restore-mode"
      value="live"
      chosen={mode}
      onChoose={onMode}
      label="Publish now"
      help="Visitors see it immediately, along with all other unpublished changes."
    />
  </ChoiceGroup>
)

/** Restores for the version that the person has seen; when someone else was quicker, they choose. */
const useRestore = ({ entry, revision, keys }: RestoreDialogProps) => {
  const queryClient = useQueryClient()
  const { save, dialog } = useVersionedSave(`“${entry.title}”`)
  // The version at the time of the question: later saves by others must not be overwritten silently
  const [version] = useState(entry.version)
  const run = async (mode: SaveMode | undefined): Promise<Entry> => {
    const body = { ...(keys.length === 0 ? {} : { keys: [...keys] }), ...(mode === undefined ? {} : { mode }) }
    const { record, saved } = await save({
      version,
      write: (wanted) => restoreRevision(entry.id, revision.id, body, wanted),
      read: () => readEntry(entry.id),
    })
    queryClient.setQueryData(entryQuery(entry.id).queryKey, record)
    void queryClient.invalidateQueries({ queryKey: entryQuery(entry.id).queryKey })
    void queryClient.invalidateQueries({ queryKey: entriesKey })
    if (saved) toast({ tone: 'success', title: `Version ${revision.version} restored` })
    return record
  }
  return { run, dialog }
}
