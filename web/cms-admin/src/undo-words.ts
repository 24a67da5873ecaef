import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { pageOf } from './undo-sources.ts'
import type { Turned } from './undo-stack.ts'

/** Says what cannot be seen: that another screen was opened for a step, or that it could not be taken. */
export const announceTurned = (turned: Turned): void => {
  const words = wordsFor(turned)
  if (words) toast(words)
}

/** “Undone on Home page”, “Redone in Footer menu”. */
export const wordsFor = ({
  turn,
  step,
  isPartial,
  isMoved,
}: Turned): { title: string; description?: string } | null => {
  const place = ` ${pageOf(step.source) === undefined ? 'in' : 'on'} ${step.label}`
  const [verb, done] = turn === 'undo' ? ['undo', 'Undone'] : ['redo', 'Redone']
  if (Object.keys(step.before).length === 0)
    return {
      title: `Couldn't ${verb} the change${place}`,
      description: 'It has been changed elsewhere since, so it stays as it is.',
    }
  if (isPartial)
    return {
      title: `${done} in part${place}`,
      description: 'Some of it has been changed elsewhere since, and stays as it is.',
    }
  return isMoved ? { title: `${done}${place}` } : null
}
