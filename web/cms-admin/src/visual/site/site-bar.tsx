import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { ArrowLeft, CircleCheck, CircleDashed, Redo2, Undo2 } from 'lucide-react'
import { useHistory } from '../../use-history.ts'
import { ModeSwitch } from '../mode-switch.tsx'
import { unsavedSources } from './drafts.ts'
import { useSite } from './site-context.ts'

/** Whether everything is saved, and what goes for all of it. */
export const SiteBar = () => {
  const { work, saving } = useSite()
  const { past, future } = useHistory(work.stack)
  const isUnsaved = unsavedSources(work.drafts).length > 0
  useShortcut({ keys: 'mod+s', description: 'Save changes', group: 'Site', onPress: saving.saveAll })
  useShortcut({ keys: 'mod+z', description: 'Undo', group: 'Site', repeats: true, onPress: work.stack.undo })
  useShortcut({ keys: 'mod+shift+z', description: 'Redo', group: 'Site', repeats: true, onPress: work.stack.redo })
  const undoes = past.at(-1)?.label
  const redoes = future[0]?.label
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-surface px-4 py-2">
      <AppLink to="/" className="flex shrink-0 items-center gap-1.5 rounded-sm text-muted text-sm hover:text-ink">
        <ArrowLeft aria-hidden className="size-4" />
        Dashboard
      </AppLink>
      <h1 className="font-medium text-sm">Site</h1>
      <span role="status" className="flex items-center gap-1.5 text-muted text-xs [&_svg]:size-3.5">
        {saving.isSaving ? (
          <>
            <Spinner /> Saving…
          </>
        ) : isUnsaved ? (
          <>
            <CircleDashed aria-hidden className="text-draft-mark" /> Unsaved changes
          </>
        ) : (
          <>
            <CircleCheck aria-hidden className="text-live-mark" /> Saved
          </>
        )}
      </span>
      <div className="ml-auto flex items-center gap-2 phone:w-full phone:justify-end">
        <ModeSwitch mode="site" />
        <IconButton
          label={undoes === undefined ? 'Undo' : `Undo: ${undoes}`}
          icon={<Undo2 />}
          disabled={undoes === undefined}
          onClick={work.stack.undo}
        />
        <IconButton
          label={redoes === undefined ? 'Redo' : `Redo: ${redoes}`}
          icon={<Redo2 />}
          disabled={redoes === undefined}
          onClick={work.stack.redo}
        />
        <Button variant="primary" disabled={!isUnsaved} loading={saving.isSaving} onClick={saving.saveAll}>
          Save changes
        </Button>
      </div>
    </header>
  )
}
