import type { FieldType } from '@stoa/cms-model/fields/index.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { lazyPart } from '@stoa/ui/lazy-part.tsx'
import { Skeleton } from '@stoa/ui/skeleton.tsx'
import { Suspense, useRef, useState } from 'react'
import { isFewChoices } from './choices/few.ts'
import { MultiselectEditor } from './choices/multiselect-editor.tsx'
import { SelectEditor } from './choices/select-editor.tsx'
import { ColorEditor } from './color/color-editor.tsx'
import type { EditorProps } from './editor.ts'
import { useFieldActions } from './field-actions.tsx'
import { FieldFrame, type FrameKind } from './field-frame.tsx'
import { FieldSelection, type ReadSelection } from './field-selection.ts'
import { GalleryEditor } from './files/gallery-editor.tsx'
import { MediaEditor } from './files/media-editor.tsx'
import { helpOf } from './hints.ts'
import { EmailEditor } from './links/email-editor.tsx'
import { UrlEditor } from './links/url-editor.tsx'
import { ListEditor } from './list/list-editor.tsx'
import { DateEditor } from './moments/date-editor.tsx'
import { DatetimeEditor } from './moments/datetime-editor.tsx'
import { NumberEditor } from './number/number-editor.tsx'
import { BooleanEditor } from './plain/boolean-editor.tsx'
import { TextEditor } from './plain/text-editor.tsx'
import { TextareaEditor } from './plain/textarea-editor.tsx'
import { checkEarly, messagesOf, problemsAt, problemsWithin } from './problems.ts'
import { ReferenceEditor } from './reference/reference-editor.tsx'
import { SlugReferenceEditor } from './reference/slug-reference-editor.tsx'
import { slugsIn } from './reference/slugs.ts'
import { useSlugReference } from './slug-references.ts'

/** The editor of one value with its label, help and problems, whatever the type of its field. */
export const FieldEditor = (props: EditorProps) => {
  const { field, value, path, problems } = props
  const [left, setLeft] = useState(false)
  const early = left ? checkEarly(field, value, path) : []
  const target = useSlugReference(path)
  const held = target ? slugsIn(field, value) : null
  const own = showsInside.has(field.type) && held === null ? problemsAt : problemsWithin
  const given = own(problems, path)
  const shown = given.length > 0 ? given : own(early, path)
  const actions = useFieldActions(props)
  const selection = useRef<ReadSelection>(null)
  return (
    <FieldSelection value={selection}>
      <FieldFrame
        kind={held ? 'group' : frameOf(field)}
        path={path}
        label={field.label}
        help={helpOf(field)}
        required={field.required}
        errors={messagesOf(shown)}
        // They write texts, and a slug is none
        actions={held ? undefined : actions}
        // What was right when the focus came may be half-typed now
        onFocus={() => early.length === 0 && setLeft(false)}
        onLeave={() => setLeft(true)}
      >
        <Suspense fallback={<Skeleton className="h-32 w-full" />}>
          {target && held ? (
            <SlugReferenceEditor {...props} target={target} held={held} />
          ) : (
            <EditorOfType {...props} />
          )}
        </Suspense>
      </FieldFrame>
    </FieldSelection>
  )
}

// Large, and on few screens: loaded when the first of their fields is shown
const RichTextEditor = lazyPart(() => import('./rich-text/rich-text-editor.tsx'), 'RichTextEditor')
const MarkdownEditor = lazyPart(() => import('./markdown/markdown-editor.tsx'), 'MarkdownEditor')
const JsonEditor = lazyPart(() => import('./json/json-editor.tsx'), 'JsonEditor')

/** Types whose editors show the problems of their parts at the part. */
const showsInside: ReadonlySet<FieldType> = new Set(['list', 'gallery', 'reference'])

const inputs: ReadonlySet<FieldType> = new Set([
  'text',
  'textarea',
  'number',
  'date',
  'datetime',
  'color',
  'url',
  'email',
])

const areas: ReadonlySet<FieldType> = new Set(['richtext', 'markdown', 'json'])

const frameOf = (field: Field): FrameKind => {
  if (field.type === 'boolean') return 'switch'
  if (areas.has(field.type)) return 'area'
  const isInput = field.type === 'select' ? !isFewChoices(field.options) : inputs.has(field.type)
  return isInput ? 'input' : 'group'
}

const EditorOfType = ({ field, ...rest }: EditorProps) => {
  switch (field.type) {
    case 'text':
      return <TextEditor field={field} {...rest} />
    case 'textarea':
      return <TextareaEditor field={field} {...rest} />
    case 'richtext':
      return <RichTextEditor field={field} {...rest} />
    case 'markdown':
      return <MarkdownEditor field={field} {...rest} />
    case 'number':
      return <NumberEditor field={field} {...rest} />
    case 'boolean':
      return <BooleanEditor field={field} {...rest} />
    case 'date':
      return <DateEditor field={field} {...rest} />
    case 'datetime':
      return <DatetimeEditor field={field} {...rest} />
    case 'select':
      return <SelectEditor field={field} {...rest} />
    case 'multiselect':
      return <MultiselectEditor field={field} {...rest} />
    case 'media':
      return <MediaEditor field={field} {...rest} />
    case 'gallery':
      return <GalleryEditor field={field} {...rest} />
    case 'reference':
      return <ReferenceEditor field={field} {...rest} />
    case 'list':
      return <ListEditor field={field} {...rest} />
    case 'json':
      return <JsonEditor field={field} {...rest} />
    case 'color':
      return <ColorEditor field={field} {...rest} />
    case 'url':
      return <UrlEditor field={field} {...rest} />
    case 'email':
      return <EmailEditor field={field} {...rest} />
    default:
      return field satisfies never
  }
}
