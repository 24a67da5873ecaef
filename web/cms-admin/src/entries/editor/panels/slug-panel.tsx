import { fillPreviewUrl } from '@stoa/cms-model/preview-url.ts'
import { MAX_SLUG_LENGTH } from '@stoa/cms-model/slugs.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { EditingHere } from '../../../realtime/field-presence.tsx'
import { useEditor } from '../editor-context.ts'

/** The reading key of the entry, and the address that it makes. */
export const SlugPanel = () => {
  const { type, settings, session, state, rights } = useEditor()
  const { slug } = state.values
  const problem = state.problems.find(({ key }) => key === 'slug')
  const isMoved = state.entry?.live ? state.entry.live.slug !== slug : false
  return (
    <div data-path=":slug" className="flex flex-col gap-2">
      <Field
        label="Slug"
        action={<EditingHere field="slug" label="Slug" />}
        error={problem?.message}
        help={
          <>
            {rights.edit && state.slugFollows ? 'Generated from the title until you change it. ' : ''}
            {isMoved ? 'The current URL keeps working after you publish this. ' : ''}
            <Address base={settings.url ?? location.origin} template={type.previewUrl} />
          </>
        }
      >
        <Input
          value={slug}
          disabled={!rights.edit}
          maxLength={MAX_SLUG_LENGTH}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => session.change('slug', event.target.value)}
          onBlur={session.saveSoon}
        />
      </Field>
    </div>
  )
}

const Address = ({ base, template }: { base: string; template: string | null }) => {
  const { type, state } = useEditor()
  if (template === null || state.values.slug === '') return null
  const { id = 'id' } = state.entry ?? {}
  const url = fillPreviewUrl(template, { slug: state.values.slug, id, locale: state.locale, type: type.name }, base)
  return <span className="block select-all break-all pt-1 text-muted">{url}</span>
}
