import type { Taxonomy, Term } from '@stoa/cms-model/taxonomies.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useVersionedSave } from '../conflict.tsx'
import { createTerm, deleteTerm, readTerm, taxonomiesQuery, updateTerm } from './queries.ts'
import { familyOf, rowsOf } from './tree.ts'

type Values = { name: string; slug: string; description: string; parentId: string }

const validate = (values: Values): { name?: string } => (values.name.trim() ? {} : { name: 'Enter a name.' })

type NewTermProps = { taxonomy: Taxonomy; parentId: string; onClose: () => void }

export const NewTermDialog = ({ taxonomy, parentId, onClose }: NewTermProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { name: '', slug: '', description: '', parentId },
    validate,
    onSubmit: async ({ name, slug, description, parentId: parent }) => {
      await createTerm(taxonomy.name, {
        name,
        ...(slug.trim() === '' ? {} : { slug }),
        description,
        parentId: parent === '' ? null : parent,
      })
      await queryClient.invalidateQueries(taxonomiesQuery)
      toast({ tone: 'success', title: `“${name}” added` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog title="New term" form={form} submitLabel="Add term" allowUnchanged onClose={onClose}>
      <TermFields form={form} taxonomy={taxonomy} isNew />
    </FormDialog>
  )
}

type EditTermProps = { taxonomy: Taxonomy; term: Term; onClose: () => void }

export const EditTermDialog = ({ taxonomy, term, onClose }: EditTermProps) => {
  const queryClient = useQueryClient()
  const [current, setCurrent] = useState(term)
  const versioned = useVersionedSave(`the term “${term.name}”`)
  const form = useForm<Values>({
    initial: valuesOf(term),
    validate,
    onSubmit: async (values) => {
      const { parentId, ...members } = changedMembers(values, valuesOf(current))
      const body = { ...members, ...(parentId === undefined ? {} : { parentId: parentId === '' ? null : parentId }) }
      const { record, saved } = await versioned.save({
        version: current.version,
        write: (wanted) => updateTerm(taxonomy.name, current.slug, body, wanted),
        read: () => readTerm(taxonomy.name, current.slug),
      })
      await queryClient.invalidateQueries(taxonomiesQuery)
      setCurrent(record)
      if (saved) {
        toast({ tone: 'success', title: `“${record.name}” saved` })
        onClose()
      }
      return valuesOf(record)
    },
  })
  return (
    <>
      <FormDialog title={`Edit “${term.name}”`} form={form} submitLabel="Save changes" onClose={onClose}>
        <TermFields form={form} taxonomy={taxonomy} termId={term.id} />
      </FormDialog>
      {versioned.dialog}
    </>
  )
}

const valuesOf = ({ name, slug, description, parentId }: Term): Values => ({
  name,
  slug,
  description,
  parentId: parentId ?? '',
})

type TermFieldsProps = { form: Form<Values>; taxonomy: Taxonomy; termId?: string; isNew?: boolean }

const TermFields = ({ form, taxonomy, termId, isNew = false }: TermFieldsProps) => {
  const family = termId === undefined ? new Set<string>() : familyOf(taxonomy.terms, termId)
  const parents = rowsOf(taxonomy.terms).filter(({ term }) => !family.has(term.id))
  return (
    <>
      <Field label="Name" error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="off" />
      </Field>
      <Field
        label="Slug"
        optional={isNew}
        help={
          isNew
            ? 'Used in URLs. Leave empty to generate it from the name.'
            : 'Used in URLs. Old links will stop working.'
        }
        error={form.errors.slug}
      >
        <Input {...form.text('slug')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Field label="Description" optional error={form.errors.description}>
        <Textarea {...form.text('description')} />
      </Field>
      {taxonomy.hierarchical ? (
        <Field label="Parent term" error={form.errors.parentId}>
          <Select
            {...form.choice('parentId')}
            options={[
              { value: '', label: 'None (top level)' },
              ...parents.map(({ term, depth }) => ({ value: term.id, label: `${'– '.repeat(depth)}${term.name}` })),
            ]}
          />
        </Field>
      ) : null}
    </>
  )
}

type DeleteTermProps = { taxonomy: Taxonomy; term: Term | undefined; onClose: () => void }

export const DeleteTerm = ({ taxonomy, term, onClose }: DeleteTermProps) => {
  const queryClient = useQueryClient()
  if (!term) return null
  const below = taxonomy.terms.filter(({ parentId }) => parentId === term.id).length
  const consequence = [
    term.count > 0
      ? `${formatCount(term.count, 'published entry loses', 'published entries lose')} it.`
      : 'No published entry has it.',
    ...(below > 0 ? [`${formatCount(below, 'child term moves', 'child terms move')} up one level.`] : []),
    "This can't be undone.",
  ].join(' ')
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete “${term.name}”?`}
      consequence={consequence}
      confirmLabel="Delete term"
      onConfirm={async () => {
        await deleteTerm(taxonomy.name, term.slug)
        await queryClient.invalidateQueries(taxonomiesQuery)
        toast({ tone: 'success', title: `“${term.name}” deleted` })
      }}
    />
  )
}
