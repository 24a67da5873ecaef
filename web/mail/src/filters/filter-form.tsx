import type { Filter, FilterValidation } from '@stoa/mail-model/filters.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field, FieldError } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { type Form as FormState, useForm } from '@stoa/ui/form/use-form.ts'
import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { RuleBuilder } from './rule-builder.tsx'
import type { Rule } from './rules.ts'
import { problemsIn, type ScriptProblem } from './script-problems.ts'
import { useFilterDraft } from './use-filter-draft.ts'
import { useTheirs } from './use-theirs.ts'

export type FilterBody = { name: string; script: string; enabled: boolean; address_id?: string | null }

/** The store of a form's filters: the account's, or one mailbox's. */
export type FilterApi = {
  validate: (script: string, signal: AbortSignal) => Promise<FilterValidation>
  read: (id: string) => Promise<Filter>
  create: (body: FilterBody) => Promise<Filter>
  update: (id: string, body: Partial<FilterBody>) => Promise<Filter>
}

/** A template, "mails like this", or the copy of another filter. */
export type FilterDraft = { name: string; addressId?: string } & ({ rules: readonly Rule[] } | { script: string })

type FilterFormProps = {
  /** Must be the same object on every render. */
  api: FilterApi
  /** Undefined makes a new one. */
  filter?: Filter | undefined
  /** The initial content of a new filter. */
  draft?: FilterDraft | undefined
  /** Chooses whose mail it is for, where that can be chosen; empty is all addresses. */
  addresses?: (props: { value: string; onValue: (id: string) => void }) => ReactNode
  /** Paths of folders that are offered. */
  folders: readonly string[]
  /** Called on another choice in `addresses`, for its folders. */
  onAddress?: (addressId: string) => void
  /** The form still counts as changed: leaving the screen now takes `ignoreBlocker`. */
  onSaved: (filter: Filter) => void
  /** More buttons beside Save. */
  actions?: ReactNode
}

type FilterValues = { name: string; address_id: string; enabled: boolean; script: string }

const SieveEditor = lazyPart(() => import('./sieve-editor.tsx'), 'SieveEditor')

/** A filter as rules or as a script; either can be gone on with at any time. */
export const FilterForm = (props: FilterFormProps) => {
  const { api, filter, addresses, folders, onAddress, onSaved } = props
  const draft = useFilterDraft(filter, props.draft)
  const { theirs, know, check } = useTheirs(filter, api.read)
  const initial = {
    name: filter?.name ?? props.draft?.name ?? '',
    address_id: filter?.address_id ?? props.draft?.addressId ?? '',
    enabled: filter?.enabled ?? true,
    script: draft.initialScript,
  }
  const form = useForm<FilterValues>({
    initial,
    validate: (values) => ({
      ...(values.name.trim() === '' ? { name: 'Enter a name.' } : {}),
      ...draft.check(values.script),
    }),
    onSubmit: async (values, before) => {
      const bodyFor = (given: FilterValues) => bodyOf(given, addresses !== undefined)
      if (values.script !== before.script) await check()
      const saved = await (filter
        ? api.update(filter.id, changedMembers(bodyFor(values), bodyFor(before)))
        : api.create(bodyFor(values)))
      know(saved)
      onSaved(saved)
      return { ...values, name: saved.name }
    },
  })
  draft.follow(form.values.script)
  const takeTheirs = (one: Filter) => {
    form.reset({ name: one.name, address_id: one.address_id ?? '', enabled: one.enabled, script: one.script })
    know(one)
  }
  if (theirs && !form.dirty) takeTheirs(theirs)
  return (
    <Form form={form} className="gap-6">
      {theirs ? (
        <Notice
          tone="warning"
          title="This filter was changed somewhere else"
          action={
            <div className="flex flex-wrap gap-2">
              <Button size="sm" onClick={() => takeTheirs(theirs)}>
                Load latest version
              </Button>
              <Button size="sm" onClick={() => know(theirs)}>
                Keep my changes
              </Button>
            </div>
          }
        >
          You're editing an older version. If you keep your changes, saving replaces the latest version.
        </Notice>
      ) : null}
      <Panel title="Filter">
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Name" error={form.errors.name}>
              <Input {...form.text('name')} maxLength={200} placeholder="Newsletters" autoComplete="off" />
            </Field>
            {addresses ? (
              <Field label="Applies to" error={form.errors.address_id}>
                {addresses({
                  value: form.values.address_id,
                  onValue: (id) => {
                    form.set({ address_id: id })
                    onAddress?.(id)
                  },
                })}
              </Field>
            ) : null}
          </div>
          <CheckboxField
            label="Enabled"
            help="When off, the filter is saved but doesn't run."
            {...form.flag('enabled')}
          />
        </div>
      </Panel>
      <Panel title="Rules" description="Rules run from top to bottom. “Stop” skips the remaining rules.">
        <ScriptTabs form={form} draft={draft} api={api} folders={folders} />
      </Panel>
      <div className="flex flex-wrap items-center justify-between gap-2">
        {filter ? (
          <FormActions form={form} />
        ) : (
          <Button type="submit" variant="primary" loading={form.submitting}>
            Create filter
          </Button>
        )}
        {props.actions}
      </div>
    </Form>
  )
}

const bodyOf = ({ name, address_id: id, enabled, script }: FilterValues, hasAddress: boolean): FilterBody => ({
  name,
  script,
  enabled,
  ...(hasAddress ? { address_id: id === '' ? null : id } : {}),
})

type ScriptTabsProps = {
  form: FormState<FilterValues>
  draft: ReturnType<typeof useFilterDraft>
  api: FilterApi
  folders: readonly string[]
}

const ScriptTabs = ({ form, draft, api, folders }: ScriptTabsProps) => {
  const id = useId()
  const { script } = form.values
  const error = form.errors.script
  const refused = useRefused(error)
  const change = (text: string) => form.set({ script: text })
  return (
    <div className="flex flex-col gap-3">
      <Tabs
        label="Editor"
        value={draft.mode}
        onValue={(mode) => draft.show(mode, script)}
        tabs={[
          {
            value: 'rules',
            label: 'Rules',
            content: draft.rules ? (
              <RuleBuilder
                rules={draft.rules}
                problems={draft.problemsWith(refused)}
                folders={folders}
                onRules={(rules) => change(draft.write(rules))}
              />
            ) : (
              <Notice tone="info" title="This script can only be edited as text">
                It can't be shown as rules: {draft.unreadable}. Edit it in the Sieve tab. Nothing is lost.
              </Notice>
            ),
          },
          {
            value: 'sieve',
            label: 'Sieve',
            content: (
              <Suspense fallback={<div className="control min-h-64 animate-pulse bg-sunken" />}>
                <SieveEditor text={script} onText={change} validate={api.validate} refused={refused} />
              </Suspense>
            ),
          },
        ]}
      />
      {error ? (
        <div role="alert">
          <FieldError id={`${id}-error`}>{refused.length > 0 ? saidInPlace(refused) : error}</FieldError>
        </div>
      ) : null}
    </div>
  )
}

const saidInPlace = ([first, ...more]: readonly ScriptProblem[]): string =>
  more.length > 0
    ? `Couldn't save: ${more.length + 1} problems.`
    : `Couldn't save: line ${first?.line}, ${first?.message}`

/** Returns the same array for the same error, so that its dependents do not run again. */
const useRefused = (error: string | undefined): readonly ScriptProblem[] => {
  const [known, setKnown] = useState(() => ({ error, problems: problemsIn(error ?? '') }))
  if (known.error === error) return known.problems
  const next = { error, problems: problemsIn(error ?? '') }
  setKnown(next)
  return next.problems
}
