import type { Taxonomy } from '@stoa/cms-model/taxonomies.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useVersionedSave } from '../conflict.tsx'
import { ALL_TYPES } from '../types/scope.ts'
import { TypeScope } from '../types/type-scope.tsx'
import { createTaxonomy, deleteTaxonomy, readTaxonomy, taxonomiesQuery, updateTaxonomy } from './queries.ts'
import { slugOf } from './tree.ts'

type Values = { label: string; name: string; hierarchical: boolean; types: string[] }

const validate = (values: Values): Partial<Record<keyof Values, string>> => ({
  ...(values.label.trim() ? {} : { label: 'Enter a label.' }),
  ...(values.name.trim() ? {} : { name: 'Enter a name. It is used in URLs.' }),
})

export const NewTaxonomyDialog = ({ onClose }: { onClose: () => void }) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const form = useForm<Values>({
    initial: { label: '', name: '', hierarchical: true, types: [ALL_TYPES] },
    validate,
    guard: false,
    onSubmit: async (values) => {
      const created = await createTaxonomy(values)
      void queryClient.invalidateQueries(taxonomiesQuery)
      navigateTo(`/taxonomies/${created.name}`)
      return undefined
    },
  })
  // The name follows the label until it is typed by hand
  const [follows, setFollows] = useState(true)
  return (
    <FormDialog
      title="New taxonomy"
      description="A set of terms to organize entries, such as categories or topics"
      form={form}
      submitLabel="Create taxonomy"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Label" error={form.errors.label}>
        <Input
          value={form.values.label}
          placeholder="Categories"
          autoComplete="off"
          onChange={({ target: { value } }) =>
            form.set(follows ? { label: value, name: slugOf(value) } : { label: value })
          }
        />
      </Field>
      <TaxonomyFields form={form} onName={() => setFollows(false)} />
    </FormDialog>
  )
}

type EditTaxonomyProps = { taxonomy: Taxonomy; onClose: () => void }

export const EditTaxonomyDialog = ({ taxonomy, onClose }: EditTaxonomyProps) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const [current, setCurrent] = useState(taxonomy)
  const versioned = useVersionedSave(`the taxonomy “${taxonomy.label}”`)
  const form = useForm<Values>({
    initial: valuesOf(taxonomy),
    validate,
    guard: false,
    onSubmit: async (values) => {
      const { record, saved } = await versioned.save({
        version: current.version,
        write: (wanted) => updateTaxonomy(taxonomy.name, changedMembers(values, valuesOf(current)), wanted),
        read: () => readTaxonomy(taxonomy.name),
      })
      setCurrent(record)
      if (saved) {
        onClose()
        if (record.name !== taxonomy.name) navigateTo(`/taxonomies/${record.name}`)
        toast({ tone: 'success', title: `“${record.label}” saved` })
      }
      await queryClient.invalidateQueries({ ...taxonomiesQuery, exact: record.name !== taxonomy.name })
      return valuesOf(record)
    },
  })
  return (
    <>
      <FormDialog title={`Edit “${taxonomy.label}”`} form={form} submitLabel="Save changes" onClose={onClose}>
        <Field label="Label" error={form.errors.label}>
          <Input {...form.text('label')} autoComplete="off" />
        </Field>
        <TaxonomyFields form={form} />
      </FormDialog>
      {versioned.dialog}
    </>
  )
}

const valuesOf = ({ label, name, hierarchical, types }: Taxonomy): Values => ({ label, name, hierarchical, types })

const TaxonomyFields = ({ form, onName }: { form: Form<Values>; onName?: () => void }) => (
  <>
    <Field label="Name" help="Used in the API and in URLs" error={form.errors.name}>
      <Input
        value={form.values.name}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target: { value } }) => {
          onName?.()
          form.set({ name: value })
        }}
      />
    </Field>
    <CheckboxField
      {...form.flag('hierarchical')}
      label="Allow nested terms"
      help="Useful for categories. Tags don't need it."
      error={form.errors.hierarchical}
    />
    <TypeScope
      label="Content types"
      value={form.values.types}
      onValue={(types) => form.set({ types })}
      error={form.errors.types}
    />
  </>
)

type DeleteTaxonomyProps = { taxonomy: Taxonomy; open: boolean; onClose: () => void }

export const DeleteTaxonomy = ({ taxonomy, open, onClose }: DeleteTaxonomyProps) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const used = taxonomy.terms.reduce((sum, { count }) => sum + count, 0)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Delete “${taxonomy.label}”?`}
      consequence={`${formatCount(taxonomy.termCount, 'term is deleted', 'terms are deleted')} with it${
        used > 0 ? `, and published entries lose theirs (${formatCount(used, 'use', 'uses')})` : ''
      }. This can't be undone.`}
      confirmLabel="Delete taxonomy"
      {...(taxonomy.termCount > 0 ? { typeName: taxonomy.name } : {})}
      onConfirm={async () => {
        await deleteTaxonomy(taxonomy.name)
        navigateTo('/taxonomies')
        void queryClient.invalidateQueries({ ...taxonomiesQuery, exact: true })
        toast({ tone: 'success', title: `“${taxonomy.label}” deleted` })
      }}
    />
  )
}
