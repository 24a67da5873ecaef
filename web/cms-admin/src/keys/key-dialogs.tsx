import type { DeliveryKey } from '@stoa/cms-model/keys.ts'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { SecretOnceDialog } from '@stoa/ui/layer/secret-once-dialog.tsx'
import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useVersionedSave } from '../conflict.tsx'
import { typesQuery } from '../types/queries.ts'
import { ALL_TYPES } from '../types/scope.ts'
import { TypeScope } from '../types/type-scope.tsx'
import { keysQuery, type MintedKey, mintKey, readKey, revokeKey, updateKey } from './queries.ts'
import { clientExample, curlExample, envExample, examplePath } from './snippets.ts'

type Values = { name: string; types: string[] }

const validate = (values: Values): { name?: string; types?: string } => ({
  ...(values.name.trim() ? {} : { name: 'Enter a name.' }),
  ...(values.types.length > 0 ? {} : { types: 'Choose at least one type.' }),
})

const valuesOf = ({ name, types }: DeliveryKey): Values => ({ name, types })

const NAME_HELP = "What it's for, such as your website, a build server or an app"
const SCOPE_HELP = 'The key can read published entries of these types, never drafts.'

type NewKeyDialogProps = { onClose: () => void; onMinted: (key: MintedKey) => void }

export const NewKeyDialog = ({ onClose, onMinted }: NewKeyDialogProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { name: '', types: [ALL_TYPES] },
    validate,
    onSubmit: async (values) => {
      const minted = await mintKey(values)
      void queryClient.invalidateQueries(keysQuery)
      onMinted(minted)
      return undefined
    },
  })
  return (
    <FormDialog
      title="New delivery key"
      description="Your website uses it to read published content."
      form={form}
      submitLabel="Create key"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Name" help={NAME_HELP} error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="off" placeholder="Website" />
      </Field>
      <TypeScope
        label="Content types"
        help={SCOPE_HELP}
        value={form.values.types}
        onValue={(types) => form.set({ types })}
        error={form.errors.types}
      />
    </FormDialog>
  )
}

export const EditKeyDialog = ({ record, onClose }: { record: DeliveryKey; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const [current, setCurrent] = useState(record)
  const versioned = useVersionedSave(`the key “${record.name}”`)
  const form = useForm<Values>({
    initial: valuesOf(record),
    validate,
    onSubmit: async (values) => {
      const changes = changedMembers(values, valuesOf(current))
      const { version } = current
      const write = (wanted: number | 'any') => updateKey(record.id, changes, wanted)
      const { record: saved, saved: done } = await versioned.save({ version, write, read: () => readKey(record.id) })
      await queryClient.invalidateQueries(keysQuery)
      setCurrent(saved)
      if (done) {
        toast({ tone: 'success', title: `“${saved.name}” saved` })
        onClose()
      }
      return valuesOf(saved)
    },
  })
  return (
    <>
      <FormDialog title={`Edit “${record.name}”`} form={form} submitLabel="Save changes" onClose={onClose}>
        <Field label="Name" help={NAME_HELP} error={form.errors.name}>
          <Input {...form.text('name')} autoComplete="off" />
        </Field>
        <TypeScope
          label="Content types"
          help={SCOPE_HELP}
          value={form.values.types}
          onValue={(types) => form.set({ types })}
          error={form.errors.types}
        />
      </FormDialog>
      {versioned.dialog}
    </>
  )
}

type RevokeKeyProps = { record: DeliveryKey | undefined; onClose: () => void }

export const RevokeKey = ({ record, onClose }: RevokeKeyProps) => {
  const queryClient = useQueryClient()
  if (!record) return null
  const revoke = async () => {
    await revokeKey(record.id)
    await queryClient.invalidateQueries(keysQuery)
    toast({ tone: 'success', title: `“${record.name}” revoked` })
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Revoke “${record.name}”?`}
      consequence="Anything using this key stops working immediately. This can't be undone, but you can create a new key."
      confirmLabel="Revoke key"
      onConfirm={revoke}
    />
  )
}

type Language = 'curl' | 'client' | 'env'

/** The new key with examples that work as they are. */
export const MintedKeyDialog = ({ minted, onClose }: { minted: MintedKey; onClose: () => void }) => {
  const { data } = useQuery(typesQuery)
  const [language, setLanguage] = useState<Language>('curl')
  const path = examplePath(minted.types, data?.items.map((type) => type.name) ?? [])
  const { origin } = location
  const example = (value: Language, label: string, code: string) => ({
    value,
    label,
    content: <CodeBlock label={label} code={code} />,
  })
  return (
    <SecretOnceDialog
      title={`Delivery key “${minted.name}”`}
      secrets={[minted.key]}
      fileName={`delivery-key-${minted.last4}.txt`}
      help="Add it to your website's environment, on the server. Keep it secret: anyone with this key can read this content."
      onClose={onClose}
    >
      <Tabs
        label="Examples"
        value={language}
        onValue={setLanguage}
        tabs={[
          example('curl', 'curl', curlExample(origin, path, minted.key)),
          example('client', 'JavaScript', clientExample(origin, path)),
          example('env', 'Environment', envExample(origin, minted.key)),
        ]}
      />
    </SecretOnceDialog>
  )
}
