import { cx } from '@stoa/ui/theme/cx.ts'
import { viewOf } from '../fields/index.ts'
import type { FieldDraft } from './draft.ts'

type TemplatePreviewProps = { label: string; fields: readonly FieldDraft[] }

/** The form that entries of a type would have, drawn small: every field with its name, its kind and its room. */
export const TemplatePreview = ({ label, fields }: TemplatePreviewProps) => (
  <ul aria-label={label} className="flex flex-col gap-2 rounded-md border border-line bg-canvas p-2.5">
    <li className="truncate font-medium text-muted text-xs">Title</li>
    {fields.map((field) => (
      <li key={field.id} className="min-w-0">
        <FieldSketch field={field} />
      </li>
    ))}
  </ul>
)

const BOX = 'rounded-sm border border-line bg-surface'

const FieldSketch = ({ field }: { field: FieldDraft }) => {
  const { sketch } = viewOf(field)
  if (sketch === 'switch')
    return (
      <span className="flex items-center justify-between gap-2">
        <FieldName field={field} />
        <span aria-hidden className="h-2.5 w-4.5 rounded-full bg-neutral-line" />
      </span>
    )
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <FieldName field={field} />
      {sketch === 'rows' ? (
        <span aria-hidden className="flex flex-col gap-0.5">
          <span className={cx(BOX, 'h-2.5')} />
          <span className={cx(BOX, 'h-2.5')} />
        </span>
      ) : (
        <span
          aria-hidden
          className={cx(BOX, sketch === 'area' ? 'h-7' : sketch === 'picture' ? 'h-9 bg-sunken' : 'h-3.5')}
        />
      )}
    </span>
  )
}

const FieldName = ({ field }: { field: FieldDraft }) => {
  const { icon: Icon, label } = viewOf(field)
  return (
    <span className="flex min-w-0 items-center gap-1 text-2xs text-muted">
      <Icon aria-hidden className="size-3 shrink-0 text-faint" />
      <span className="min-w-0 truncate">{field.label}</span>
      <span className="sr-only">, {label}</span>
      {field.required ? <span className="shrink-0 text-faint">required</span> : null}
    </span>
  )
}
