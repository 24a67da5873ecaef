import { isForType, type Taxonomy } from '@stoa/cms-model/taxonomies.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Combobox } from '@stoa/ui/form/combobox.tsx'
import { needsSearch } from '@stoa/ui/form/options.ts'
import type { SelectOption } from '@stoa/ui/form/select.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { taxonomiesQuery } from '../../../taxonomies/queries.ts'
import { rowsOf, termOptions } from '../../../taxonomies/tree.ts'
import { useEditor } from '../editor-context.ts'
import { useEntryActions } from '../use-entry-actions.ts'
import { SideSection } from './side-section.tsx'

/** The terms of each taxonomy that entries of this type can have. */
export const TermsPanels = () => {
  const { type } = useEditor()
  const { data } = useQuery({ ...taxonomiesQuery, enabled: type.taxonomies.length > 0 })
  const own = data?.items.filter((taxonomy) => isForType(taxonomy.types, type.name)) ?? []
  return own.map((taxonomy) => <TermsPanel key={taxonomy.name} taxonomy={taxonomy} />)
}

const TermsPanel = ({ taxonomy }: { taxonomy: Taxonomy }) => {
  const { rights, canWrite, state } = useEditor()
  const terms = useTerms(taxonomy.name)
  const options = termOptions(taxonomy.terms)
  const Terms = needsSearch(options) ? FoundTerms : AllTerms
  return (
    <SideSection title={taxonomy.label}>
      {options.length === 0 ? (
        <p className="text-faint text-xs">No terms yet</p>
      ) : (
        <Terms taxonomy={taxonomy} options={options} disabled={!canWrite} {...terms} />
      )}
      {taxonomy.termCount > taxonomy.terms.length ? (
        <Notice>
          Showing the first {taxonomy.terms.length} of {taxonomy.termCount}.
        </Notice>
      ) : null}
      {rights.edit && state.entry?.status === 'published' ? (
        <p className="text-faint text-xs">Term changes go live immediately</p>
      ) : null}
    </SideSection>
  )
}

type TermsProps = ReturnType<typeof useTerms> & {
  taxonomy: Taxonomy
  options: readonly SelectOption[]
  disabled: boolean
}

/** Few are all in sight, to be ticked. */
const AllTerms = ({ taxonomy, disabled, has, toggle }: TermsProps) => (
  <ul aria-label={taxonomy.label} className="flex flex-col gap-1.5 py-0.5">
    {rowsOf(taxonomy.terms).map(({ term, depth }) => (
      <li key={term.id} style={{ paddingInlineStart: `${depth}rem` }}>
        <CheckboxField
          label={term.name}
          checked={has(term.slug)}
          disabled={disabled}
          onChecked={(checked) => void toggle(term.slug, checked)}
        />
      </li>
    ))}
  </ul>
)

/** For large taxonomies: shows the entry's own terms, and finds others by typing. */
const FoundTerms = ({ taxonomy, options, disabled, has, toggle }: TermsProps) => {
  const chosen = options.filter(({ value }) => has(value))
  return (
    <>
      {chosen.length === 0 ? null : (
        <ul aria-label={taxonomy.label} className="flex flex-wrap gap-1.5">
          {chosen.map(({ value, label }) => (
            <li
              key={value}
              className="flex min-h-7 max-w-full items-center gap-0.5 rounded-md border border-line-strong pl-2 text-sm"
            >
              <span className="min-w-0 truncate py-0.5">{label}</span>
              {disabled ? (
                <span className="w-2" />
              ) : (
                <IconButton
                  size="sm"
                  label={`Remove ${label}`}
                  icon={<X />}
                  className="size-6.5"
                  onClick={() => void toggle(value, false)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <Combobox
        aria-label={`Add to ${taxonomy.label}`}
        placeholder="Add…"
        value=""
        disabled={disabled}
        options={options.filter(({ value }) => !has(value))}
        onValue={(slug) => void toggle(slug, true)}
      />
    </>
  )
}

/** Ticked at once; a refusal takes it back. */
const useTerms = (taxonomy: string) => {
  const { state, beginning, setBeginning } = useEditor()
  const actions = useEntryActions()
  const [waiting, setWaiting] = useState<ReadonlyMap<string, boolean>>(new Map())
  const terms = state.entry?.terms ?? beginning.terms
  const isStored = (slug: string) => terms.some((term) => term.taxonomy === taxonomy && term.slug === slug)
  const change = (slug: string, checked: boolean) => (slugs: readonly string[]) =>
    checked ? [...new Set([...slugs, slug])] : slugs.filter((other) => other !== slug)
  const toggle = async (slug: string, checked: boolean) => {
    if (state.entry === null) {
      const rest = beginning.terms.filter((term) => term.taxonomy !== taxonomy || term.slug !== slug)
      return setBeginning({ terms: checked ? [...rest, { taxonomy, slug }] : rest })
    }
    setWaiting((before) => new Map([...before, [slug, checked]]))
    try {
      await actions.setTerms(taxonomy, change(slug, checked))
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't change the terms", description: messageOf(error) })
    } finally {
      setWaiting((before) => new Map([...before].filter(([other]) => other !== slug)))
    }
  }
  return { has: (slug: string) => waiting.get(slug) ?? isStored(slug), toggle }
}
