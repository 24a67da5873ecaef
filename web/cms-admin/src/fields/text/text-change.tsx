import { TextChange } from '../../diff/diff-text.tsx'
import type { ChangeProps } from '../field-view.ts'
import { textOf } from '../text-of.ts'

/** A short text, word by word. */
export const ChangedText = ({ change }: ChangeProps) => (
  <TextChange before={textOf(change.before)} after={textOf(change.after)} />
)
