import type { Plugin, PluginSettingKey } from '@stoa/cms-model/plugins.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { type Form as FormState, useForm } from '@stoa/ui/form/use-form.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useVersionedSave } from '../conflict.tsx'
import { pluginsQuery, readPlugin, savePluginSettings } from './queries.ts'
import { changedSettings, type SettingValues, secretEnd, settingProblems, settingValuesOf } from './setting-values.ts'

/** A form made of the keys that the plugin declares. */
export const SettingsForm = ({ plugin }: { plugin: Plugin }) => {
  const queryClient = useQueryClient()
  const [current, setCurrent] = useState(plugin)
  const versioned = useVersionedSave(`the settings of “${plugin.label}”`)
  const { settingKeys: keys } = current
  const form = useForm<SettingValues>({
    initial: settingValuesOf(plugin),
    validate: (values) => settingProblems(keys, values),
    onSubmit: async (values, before) => {
      const settings = changedSettings(keys, values, before)
      const { record, saved } = await versioned.save({
        version: current.recordVersion ?? 1,
        write: (wanted) => savePluginSettings(plugin.name, { settings }, wanted),
        read: () => readPlugin(plugin.name),
      })
      await queryClient.invalidateQueries(pluginsQuery)
      setCurrent(record)
      if (saved) toast({ tone: 'success', title: 'Settings saved' })
      return settingValuesOf(record)
    },
  })
  return (
    <Panel title="Settings">
      <Form form={form}>
        {keys.map((setting) => (
          <SettingField key={setting.key} setting={setting} plugin={current} form={form} onChanged={setCurrent} />
        ))}
        <FormActions form={form} />
      </Form>
      {versioned.dialog}
    </Panel>
  )
}

type SettingFieldProps = {
  setting: PluginSettingKey
  plugin: Plugin
  form: FormState<SettingValues>
  onChanged: (plugin: Plugin) => void
}

const SettingField = ({ setting, plugin, form, onChanged }: SettingFieldProps) => {
  const { key, type, label, options } = setting
  const error = form.errors[key]
  const help = setting.help === null ? {} : { help: setting.help }
  const value = String(form.values[key] ?? '')
  const set = (next: string | boolean) => form.set({ [key]: next })
  if (type === 'boolean')
    return <CheckboxField label={label} {...help} checked={form.values[key] === true} onChecked={set} />
  if (type === 'secret')
    return (
      <SecretField setting={setting} plugin={plugin} error={error} value={value} onValue={set} onChanged={onChanged} />
    )
  if (type === 'select')
    return (
      <Field label={label} optional {...help} error={error}>
        <Select name={key} value={value} options={options ?? []} placeholder="Choose…" onValue={set} />
      </Field>
    )
  return (
    <Field label={label} optional {...help} error={error}>
      {type === 'textarea' ? (
        <Textarea name={key} rows={4} value={value} onChange={(event) => set(event.target.value)} />
      ) : (
        <Input
          name={key}
          value={value}
          onChange={(event) => set(event.target.value)}
          {...(type === 'url' ? { type: 'url', inputMode: 'url' as const, placeholder: 'https://' } : {})}
          {...(type === 'number' ? { inputMode: 'decimal' as const } : {})}
          autoComplete="off"
        />
      )}
    </Field>
  )
}

type SecretFieldProps = {
  setting: PluginSettingKey
  plugin: Plugin
  error: string | undefined
  value: string
  onValue: (value: string) => void
  onChanged: (plugin: Plugin) => void
}

/** A stored secret is never shown again: it is kept, replaced or removed. */
const SecretField = ({ setting: { key, label, help }, plugin, error, value, onValue, onChanged }: SecretFieldProps) => {
  const queryClient = useQueryClient()
  const end = secretEnd(plugin, key)
  const remove = useMutation({
    mutationFn: () => savePluginSettings(plugin.name, { settings: { [key]: '' } }, 'any'),
    onSuccess: onChanged,
    onError: (problem) => toast({ tone: 'danger', title: `Couldn't remove ${label}`, description: messageOf(problem) }),
    onSettled: () => queryClient.invalidateQueries(pluginsQuery),
  })
  return (
    <Field
      label={label}
      optional
      error={error}
      help={
        <>
          {help === null ? null : <>{help} </>}
          {end === null ? 'Stored encrypted and never shown again' : `Ends in ${end}`}
        </>
      }
      {...(end === null
        ? {}
        : {
            action: (
              <Button variant="ghost" size="sm" loading={remove.isPending} onClick={() => remove.mutate()}>
                Remove
              </Button>
            ),
          })}
    >
      <Input
        name={key}
        type="password"
        autoComplete="off"
        value={value}
        placeholder={end === null ? '' : 'Enter a new value to replace it'}
        onChange={(event) => onValue(event.target.value)}
      />
    </Field>
  )
}
