import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { Suspense, useRef, useState } from 'react'
import type { EditorProps } from './editor.ts'
import { useFieldActions } from './field-actions.tsx'
import { FieldFrame } from './field-frame.tsx'
import { FieldSelection, type ReadSelection } from './field-selection.ts'
import type { AnyFieldView } from './field-view.ts'
import { fieldViews, viewOf } from './index.ts'
import { checkEarly, messagesOf, problemsAt, problemsWithin } from './problems.ts'
import { SlugReferenceEditor } from './reference/slug-reference-editor.tsx'
import { useSlugReference } from './slug-references.ts'

for (const view of Object.values<AnyFieldView>(fieldViews)) if (!view.isRare) void view.Editor.preload?.()

/** The editor of one value with its label, help and problems, whatever the type of its field. */
export const FieldEditor = (props: EditorProps) => {
  const { field, value, path, problems, look } = props
  const [left, setLeft] = useState(false)
  const early = left ? checkEarly(field, value, path) : []
  const target = useSlugReference(path)
  const view = viewOf(field)
  const held = (target && view.slugs?.(field, value)) ?? null
  const own = view.showsInside && held === null ? problemsAt : problemsWithin
  const given = own(problems, path)
  const shown = given.length > 0 ? given : own(early, path)
  const actions = useFieldActions(props)
  const selection = useRef<ReadSelection>(null)
  return (
    <FieldSelection value={selection}>
      <FieldFrame
        kind={held ? 'group' : view.frame(field)}
        path={path}
        label={field.label}
        help={[field.help, view.hint?.(field) ?? ''].filter((text) => text !== '').join(' ')}
        required={field.required}
        errors={messagesOf(shown)}
        isBare={look === 'page'}
        // They write texts, and a slug is none; the bar of a page's text has them
        actions={held || look === 'page' ? undefined : actions}
        // A value that was valid on focus may be half-typed now
        onFocus={() => early.length === 0 && setLeft(false)}
        onLeave={() => setLeft(true)}
      >
        <Suspense fallback={<Skeleton className="h-32 w-full" />}>
          {target && held ? <SlugReferenceEditor {...props} target={target} held={held} /> : <view.Editor {...props} />}
        </Suspense>
      </FieldFrame>
    </FieldSelection>
  )
}
