import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { ImageField } from '../../settings/image-field.tsx'
import { LocalesField } from '../../settings/locales-field.tsx'
import { nameOfLocale } from '../../settings/values.ts'
import { RoleLock, SaveSource, SourceProblem, useChange } from './part-panel.tsx'
import { settingLabels } from './setting-labels.ts'
import { useSite } from './site-context.ts'
import { SETTINGS_KEY, type SettingsPart } from './sources.ts'

/** The settings that a part shows. */
export const SettingsPartEditor = ({ part }: { part: SettingsPart }) => {
  const { canEdit } = part.state
  return (
    <>
      {canEdit ? null : <RoleLock what="change the site settings" who="Admins and owners" />}
      <SourceProblem source={SETTINGS_KEY} />
      <fieldset disabled={!canEdit} className="flex min-w-0 flex-col gap-4">
        {part.source.fields.map((key) => (
          <Setting key={key} part={part} name={key} />
        ))}
      </fieldset>
      {canEdit ? <SaveSource source={SETTINGS_KEY} /> : null}
    </>
  )
}

type SettingKey = SettingsPart['source']['fields'][number]

const Setting = ({ part, name }: { part: SettingsPart; name: SettingKey }) => {
  const { work, saving, settings } = useSite()
  const change = useChange(SETTINGS_KEY, part.label)
  const values = work.drafts.sources[SETTINGS_KEY]?.values ?? {}
  const text = typeof values[name] === 'string' ? values[name] : ''
  const label = settingLabels[name]
  const error = saving.problems[SETTINGS_KEY]?.fields.find(
    ({ key }) => key === name || key.startsWith(`${name}.`),
  )?.message
  switch (name) {
    case 'logoId':
    case 'socialImageId':
      return (
        <ImageField
          label={label}
          help={name === 'logoId' ? 'Shown next to the title' : 'Shown when a page is shared'}
          error={error}
          value={text}
          onValue={(id) => change({ [name]: id === '' ? null : id })}
        />
      )
    case 'locales':
      return (
        <LocalesField
          value={localesOf(values.locales) ?? settings.locales}
          standard={typeof values.locale === 'string' ? values.locale : settings.locale}
          onValue={(locales) => change({ [name]: locales })}
          error={error}
        />
      )
    case 'locale':
      return (
        <Field label={label} error={error}>
          <Select
            value={text}
            options={(localesOf(values.locales) ?? settings.locales).map((tag) => ({
              value: tag,
              label: `${nameOfLocale(tag)} (${tag})`,
            }))}
            onValue={(tag) => change({ [name]: tag })}
          />
        </Field>
      )
    case 'description':
      return (
        <Field label={label} optional error={error}>
          <Textarea value={text} onChange={({ target }) => change({ [name]: target.value })} />
        </Field>
      )
    case 'url':
      return (
        <Field label={label} optional error={error}>
          <Input
            type="url"
            value={text}
            autoCapitalize="none"
            placeholder="https://www.example.com"
            onChange={({ target }) => change({ [name]: target.value === '' ? null : target.value })}
          />
        </Field>
      )
    case 'title':
    case 'tagline':
      return (
        <Field label={label} optional error={error}>
          <Input value={text} autoComplete="off" onChange={({ target }) => change({ [name]: target.value })} />
        </Field>
      )
  }
}

const localesOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((tag) => typeof tag === 'string') : undefined
