import type { FieldType } from '@stoa/cms-model/fields/index.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { viewOf } from '../fields/index.ts'
import type { FieldDraft } from './draft.ts'

/** How much room a field takes in the form of an entry. */
const shapes: Partial<Record<FieldType, 'area' | 'picture' | 'switch' | 'rows'>> = {
  textarea: 'area',
  richtext: 'area',
  markdown: 'area',
  json: 'area',
  media: 'picture',
  gallery: 'picture',
  boolean: 'switch',
  list: 'rows',
}

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
  const shape = shapes[field.type]
  if (shape === 'switch')
    return (
      <span className="flex items-center justify-between gap-2">
        <FieldName field={field} />
        <span aria-hidden className="h-2.5 w-4.5 rounded-full bg-neutral-line" />
      </span>
    )
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <FieldName field={field} />
      {shape === 'rows' ? (
        <span aria-hidden className="flex flex-col gap-0.5">
          <span className={cx(BOX, 'h-2.5')} />
          <span className={cx(BOX, 'h-2.5')} />
        </span>
      ) : (
        <span
          aria-hidden
          className={cx(BOX, shape === 'area' ? 'h-7' : shape === 'picture' ? 'h-9 bg-sunken' : 'h-3.5')}
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
