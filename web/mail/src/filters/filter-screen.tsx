import type { Filter } from '@stoa/mail-model/filters.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { changed, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Copy, Ellipsis, Filter as FilterIcon, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AddressSelect } from '../addresses/address-select.tsx'
import { foldersQuery } from '../addresses/queries.ts'
import { hasName } from '../api.ts'
import { entitlementQuery } from '../billing/queries.ts'
import { Gone } from '../not-found-notice.tsx'
import { DeleteFilter } from './delete-filter.tsx'
import { newRule } from './edited-rules.ts'
import { type FilterDraft, FilterForm } from './filter-form.tsx'
import { PlanRoom } from './plan-room.tsx'
import { FILTERS, filterQuery, panelFilters } from './queries.ts'
import { TemplateChoice } from './template-choice.tsx'
import { templates } from './templates.ts'

/** One filter of the account, or a new one. */
export const FilterScreen = () => {
  const { filterId = '' } = useParams({ strict: false })
  return filterId === 'new' ? <NewFilter /> : <OpenFilter key={filterId} id={filterId} />
}

const OpenFilter = ({ id }: { id: string }) => {
  // A deleted filter is not requested again while this screen closes
  const [isDeleted, setIsDeleted] = useState(false)
  const query = useQuery({ ...filterQuery(id), enabled: !isDeleted })
  if (isDeleted) return <SkeletonText lines={8} />
  if (query.data) return <FilterView filter={query.data} onDeleted={() => setIsDeleted(true)} />
  if (!query.error) return <SkeletonText lines={8} />
  if (hasName(query.error, 'not_found'))
    return <Gone icon={<FilterIcon />} thing="filter" to="/filters" list="filters" />
  return (
    <Crash isScreen title="Couldn't load this filter" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

const crumbs = [{ label: 'Filters', to: '/filters' }]

/** Folders that every mailbox has, offered while a filter is for all of them. */
const COMMON_FOLDERS = ['INBOX', 'Archive', 'Junk', 'Trash']

const useFolders = (addressId: string): readonly string[] => {
  const { data } = useQuery({ ...foldersQuery(addressId), enabled: addressId !== '' })
  return addressId === '' ? COMMON_FOLDERS : (data?.data.map(({ path }) => path) ?? COMMON_FOLDERS)
}

const chooseAddress = (props: { value: string; onValue: (id: string) => void }) => (
  <AddressSelect {...props} none="All addresses" />
)

const FilterView = ({ filter, onDeleted }: { filter: Filter; onDeleted: () => void }) => {
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <title>{`${filter.name} · Filters · Stoa Mail`}</title>
      <PageHeader
        crumbs={crumbs}
        title={filter.name}
        description={
          <>
            Updated <RelativeTime at={filter.updated_at} />
          </>
        }
        actions={
          <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
            <MenuItem
              icon={<Copy />}
              onSelect={() => void navigate({ to: '/filters/new', search: () => ({ copy: filter.id }) })}
            >
              Duplicate
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger onSelect={() => setDeleting(true)}>
              Delete filter
            </MenuItem>
          </Menu>
        }
      />
      <AccountFilterForm filter={filter} />
      <DeleteFilter
        filter={deleting ? filter : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={() => {
          onDeleted()
          void navigate({ to: '/filters', ignoreBlocker: true })
        }}
      />
    </>
  )
}

const NewFilter = () => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const url = useUrlState()
  const copied = url.get('copy')
  const original = useQuery({ ...filterQuery(copied), enabled: copied !== '' })
  const template = url.get('template')
  // An entry of its own in the history: Back leads to the templates again
  const choose = (id: string) =>
    void navigate({ to: '.', search: (before: Record<string, unknown>) => changed(before, { template: id }) })
  const draft = draftOf(template, original.data, url.get('address'))
  if (copied !== '' && !draft) return <SkeletonText lines={8} />
  return (
    <>
      <title>New filter · Stoa Mail</title>
      <PageHeader
        crumbs={crumbs}
        title="New filter"
        description="Filters run on incoming mail before it reaches the mailbox."
        actions={template === '' ? undefined : <Button onClick={() => choose('')}>Other templates</Button>}
      />
      <div className="flex flex-col gap-6">
        <PlanRoom of="filters" words={PLAN_WORDS} />
        {draft ? (
          <AccountFilterForm
            key={`${template} ${copied}`}
            draft={draft}
            onCreated={() => {
              void queryClient.invalidateQueries(entitlementQuery)
              void navigate({ to: '/filters', ignoreBlocker: true })
            }}
          />
        ) : (
          <TemplateChoice onChoose={choose} />
        )}
      </div>
    </>
  )
}

const PLAN_WORDS = {
  full: (limit: number) => `You've used all ${limit} filters`,
  help: "Combine rules in one filter, or delete one you don't need.",
}

const draftOf = (template: string, original: Filter | undefined, addressId: string): FilterDraft | undefined => {
  if (original) {
    const { name, script, address_id: id } = original
    return { name: `${name} (copy)`, script, addressId: id ?? '' }
  }
  if (template === 'empty') return { name: '', rules: [newRule()], addressId }
  const found = templates.find(({ id }) => id === template)
  return found && { name: found.name, rules: found.rules, addressId }
}

type AccountFilterFormProps = { filter?: Filter; draft?: FilterDraft; onCreated?: () => void }

const AccountFilterForm = ({ filter, draft, onCreated }: AccountFilterFormProps) => {
  const queryClient = useQueryClient()
  const [addressId, setAddressId] = useState(filter?.address_id ?? draft?.addressId ?? '')
  const folders = useFolders(addressId)
  return (
    <FilterForm
      api={panelFilters}
      filter={filter}
      draft={draft}
      folders={folders}
      addresses={chooseAddress}
      onAddress={setAddressId}
      onSaved={(saved) => {
        queryClient.setQueryData(filterQuery(saved.id).queryKey, saved)
        void queryClient.invalidateQueries({ queryKey: FILTERS })
        toast({ tone: 'success', title: `${saved.name} saved` })
        onCreated?.()
      }}
    />
  )
}
