import type { Taxonomy, TermReference } from '@stoa/cms-model/taxonomies.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { rowsOf } from '../../taxonomies/tree.ts'
import { entriesOf } from './bulk-words.ts'

type Values = { taxonomy: string; slugs: readonly string[] }

type TermsDialogProps = {
  count: number
  taxonomies: readonly Taxonomy[]
  onChoose: (terms: TermReference[]) => void
  onClose: () => void
}

/** Which terms of one taxonomy the chosen entries shall have. */
export const TermsDialog = ({ count, taxonomies, onChoose, onClose }: TermsDialogProps) => {
  const form = useForm<Values>({
    initial: { taxonomy: taxonomies[0]?.name ?? '', slugs: [] },
    guard: false,
    validate: ({ slugs }) => (slugs.length > 0 ? {} : { slugs: 'Select a term.' }),
    onSubmit: async ({ taxonomy, slugs }) => {
      onClose()
      onChoose(slugs.map((slug) => ({ taxonomy, slug })))
      return undefined
    },
  })
  const { taxonomy: name, slugs } = form.values
  const taxonomy = taxonomies.find((candidate) => candidate.name === name)
  return (
    <FormDialog
      title={`Set terms for ${entriesOf(count)}`}
      description="The selected terms replace the entries' current terms in this taxonomy."
      size="sm"
      form={form}
      submitLabel="Set terms"
      allowUnchanged
      onClose={onClose}
    >
      {taxonomies.length > 1 ? (
        <Field label="Taxonomy">
          <Select
            value={name}
            options={taxonomies.map(({ name: value, label }) => ({ value, label }))}
            onValue={(value) => form.set({ taxonomy: value, slugs: [] })}
          />
        </Field>
      ) : null}
      <fieldset className="flex flex-col gap-1.5">
        <legend className="pb-1.5 font-medium text-sm">{taxonomy?.label}</legend>
        {rowsOf(taxonomy?.terms ?? []).map(({ term, depth }) => (
          <div key={term.id} style={{ paddingInlineStart: `calc(var(--spacing) * ${depth * 5})` }}>
            <CheckboxField
              label={term.name}
              checked={slugs.includes(term.slug)}
              onChecked={(checked) =>
                form.set({ slugs: checked ? [...slugs, term.slug] : slugs.filter((slug) => slug !== term.slug) })
              }
            />
          </div>
        ))}
      </fieldset>
      {form.errors.slugs ? <Notice tone="danger">{form.errors.slugs}</Notice> : null}
    </FormDialog>
  )
}
