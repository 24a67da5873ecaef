import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { ArrowLeft } from 'lucide-react'
import { useEditor } from '../entries/editor/editor-context.ts'
import { Present, WriteActions } from '../entries/editor/editor-header.tsx'
import { SaveIndicator } from '../entries/editor/save-indicator.tsx'
import { nameOf } from '../entries/session/labels.ts'
import { StatusChips } from '../entries/status.tsx'
import { type Mode, ModeSwitch } from './mode-switch.tsx'

/** What is edited, how it stands, and what can be done with it. */
export const EditBar = ({ mode, onMode }: { mode: Mode; onMode: ((mode: Mode) => void) | undefined }) => {
  const { type, state, rights } = useEditor()
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-surface px-4 py-2">
      <AppLink
        to={type.kind === 'single' ? '/' : `/content/${type.name}`}
        className="flex shrink-0 items-center gap-1.5 rounded-sm text-muted text-sm hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {type.kind === 'single' ? 'Dashboard' : type.labelPlural}
      </AppLink>
      <h1 className="min-w-0 truncate font-medium text-sm">{nameOf(state.values)}</h1>
      {state.entry === null ? null : <StatusChips entry={state.entry} />}
      {rights.edit ? <SaveIndicator /> : null}
      <div className="ml-auto flex items-center gap-2 phone:w-full">
        <Present />
        <ModeSwitch mode={mode} onMode={onMode} />
      </div>
      <div className="ml-auto flex flex-wrap items-center gap-2">{rights.edit ? <WriteActions /> : null}</div>
    </header>
  )
}
