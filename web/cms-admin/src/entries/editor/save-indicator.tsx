import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { CircleAlert, CircleCheck, CircleDashed, CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { savesByItself } from '../session/rights.ts'
import { type Indicator, indicatorOf, type State } from '../session/session-state.ts'
import { useEditor } from './editor-context.ts'

const icons: Record<Indicator, ReactNode> = {
  saved: <CircleCheck aria-hidden className="text-live-mark" />,
  saving: <Spinner />,
  unsaved: <CircleDashed aria-hidden className="text-draft-mark" />,
  offline: <CloudOff aria-hidden className="text-failed-mark" />,
  conflict: <CircleAlert aria-hidden className="text-failed-mark" />,
}

/** Whether what is on the screen is safe. */
export const SaveIndicator = () => {
  const { state } = useEditor()
  const indicator = indicatorOf(state)
  if (state.entry === null && indicator === 'saved') return null
  return (
    <span
      role="status"
      data-indicator={indicator}
      className="flex items-center gap-1.5 whitespace-nowrap text-muted text-xs [&_svg]:size-3.5"
    >
      {icons[indicator]}
      <span className={indicator === 'saved' ? 'phone:sr-only' : undefined}>{wordsFor(indicator, state)}</span>
    </span>
  )
}

const wordsFor = (indicator: Indicator, state: State): string => {
  switch (indicator) {
    case 'saved':
      return 'Saved'
    case 'saving':
      return 'Saving…'
    case 'unsaved':
      if (!savesByItself(state.entry)) return "Unsaved: scheduled entries aren't autosaved"
      return state.problems.length > 0 ? "Some fields couldn't be saved" : 'Unsaved'
    case 'offline':
      return 'Offline: saved in this browser'
    case 'conflict':
      return 'Conflict: not saved'
  }
}
