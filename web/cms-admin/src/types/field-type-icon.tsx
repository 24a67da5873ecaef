import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'
import { viewOf } from '../fields/index.ts'

/** The sign of a field type, on its own background. */
export const FieldTypeIcon = ({ type }: { type: FieldType }) => {
  const Icon = viewOf({ type }).icon
  return (
    <span
      aria-hidden
      className="flex size-7 shrink-0 items-center justify-center rounded-md border border-line bg-canvas text-muted [&_svg]:size-3.5"
    >
      <Icon />
    </span>
  )
}
