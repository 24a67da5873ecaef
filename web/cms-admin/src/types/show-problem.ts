import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { FieldDraft } from './draft.ts'
import { type FieldPath, pathOfProblem } from './field-tree.ts'

/** Opens the field of the first problem, and puts the focus on the input that it is about. */
export const showProblem = (
  problems: readonly FieldProblem[],
  fields: readonly FieldDraft[],
  onOpen: (path: FieldPath) => void,
): void => {
  // Problems of the type itself come first on the screen
  const first = problems.find(({ key }) => !key.startsWith('fields')) ?? problems[0]
  if (first) onOpen(pathOfProblem(fields, first.key))
  focusInvalid(MAX_FRAMES)
}

/** The field, or the tab that it is on, may take some frames to be drawn. */
const MAX_FRAMES = 30

const focusInvalid = (frames: number): void => {
  requestAnimationFrame(() => {
    const input = document.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!input) return frames > 0 ? focusInvalid(frames - 1) : undefined
    input.focus({ preventScroll: true })
    // With what is wrong below it
    input.scrollIntoView({ block: 'center' })
  })
}
