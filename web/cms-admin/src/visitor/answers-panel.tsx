import { Panel } from '@stoa/ui/display/panel.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../settings/queries.ts'
import { nameOfLocale } from '../settings/values.ts'
import { TypeBoxes } from '../types/type-boxes.tsx'
import type { VisitorForm } from './values.ts'

export const AnswersPanel = ({ form }: { form: VisitorForm }) => (
  <Panel title="Answers" description="Only published content is used. Drafts are never shown to visitors.">
    <div className="flex max-w-prose flex-col gap-5">
      <ChoiceGroup label="Content types" error={form.errors.types}>
        <TypeBoxes value={form.values.types} onValue={(types) => form.set({ types })} />
      </ChoiceGroup>
      <Refusals form={form} />
      <SwitchField
        label="Rephrase questions before searching"
        help="Finds more when visitors use different words than you do. Each question makes one more call to the provider."
        checked={form.values.rewrite}
        onChecked={(rewrite) => form.set({ rewrite })}
      />
      <Field
        label="Synonyms"
        optional
        help="One group per line, with commas between the words: bike, bicycle, cycle"
        error={form.errors.synonyms}
      >
        <Textarea {...form.text('synonyms')} rows={3} />
      </Field>
    </div>
  </Panel>
)

const Refusals = ({ form }: { form: VisitorForm }) => {
  const { data: settings } = useQuery(settingsQuery)
  const { refusal } = form.values
  const locales = [...new Set([...(settings?.locales ?? []), ...Object.keys(refusal)])]
  const isOne = locales.length === 1
  return (
    <ChoiceGroup
      label="When there's no answer"
      help="What visitors read when your content doesn't say. Leave empty for the standard text."
      error={form.errors.refusal}
    >
      {locales.map((locale) => (
        <Field key={locale} label={nameOfLocale(locale)} optional hideLabel={isOne}>
          <Textarea
            rows={2}
            lang={locale}
            value={refusal[locale] ?? ''}
            onChange={({ target }) => form.set({ refusal: { ...refusal, [locale]: target.value } })}
          />
        </Field>
      ))}
    </ChoiceGroup>
  )
}
