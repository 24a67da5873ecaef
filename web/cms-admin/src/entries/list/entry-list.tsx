import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { useStored } from '@stoa/ui/browser/stored.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { LinkButton, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { type UrlState, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { DataTable } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { type Selection, useSelection } from '@stoa/ui/table/selection.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Bookmark, Plus } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { may } from '../../allowed.tsx'
import { contentPath, entryPath } from '../../content-path.ts'
import { pagerOf } from '../../list-pages.ts'
import { meQuery } from '../../queries.ts'
import { useCommands } from '../../registry/commands.ts'
import { newEntryAction } from '../../registry/screens.tsx'
import { settingsQuery } from '../../settings/queries.ts'
import { inSentence } from '../../type-icon.tsx'
import { entriesQuery } from '../queries.ts'
import { columnOptions, defaultColumns, readColumns } from './column-choice.ts'
import { columnsOf } from './columns.tsx'
import { type Condition, readConditions, writeConditions } from './conditions.ts'
import {
  fromSort,
  isNarrowed,
  type ListFilter,
  NO_FILTER,
  PAGE_SIZES,
  readQuery,
  requestOf,
  searchOf,
  toSort,
} from './filter.ts'
import { ColumnMenu, ListFilters } from './list-filters.tsx'
import { OwnConditions, OwnFilter } from './own-filter.tsx'
import { useRowActions } from './row-actions.tsx'
import { useBulkActions } from './use-bulk-actions.tsx'
import { titleOf } from './values.ts'
import { ViewTabs } from './view-tabs.tsx'
import { quickViews } from './views.ts'

/** The entries of one type as a list. */
export const EntryList = ({ type }: { type: ContentType }) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const path = contentPath(type.name)
  const writes = may(me, 'content.write')
  const create = writes ? (
    <LinkButton to={`${path}/new`} variant="primary" icon={<Plus />}>
      New {inSentence(type.label)}
    </LinkButton>
  ) : undefined
  return (
    <>
      <title>{`${type.labelPlural} · Stoa CMS`}</title>
      <PageHeader
        title={type.labelPlural}
        {...(type.description === '' ? {} : { description: type.description })}
        {...(create ? { actions: create } : {})}
      />
      <Entries
        me={me}
        type={type}
        path={path}
        writes={writes}
        empty={
          <EmptyState
            drawing="documents"
            title={`No ${inSentence(type.labelPlural)} yet`}
            {...(create ? { action: create } : {})}
          >
            {writes
              ? 'New entries start as drafts. Nobody sees them until you publish.'
              : 'Nothing has been written yet.'}
          </EmptyState>
        }
      />
    </>
  )
}

type EntriesProps = { me: Me; type: ContentType; path: string; writes: boolean; empty: React.ReactNode }

const Entries = ({ me, type, path, writes, empty }: EntriesProps) => {
  const url = useUrlState()
  const asked = readQuery(url.get, type.fields)
  const query = useQuery(entriesQuery(requestOf(type.name, asked)))
  const { data: settings } = useQuery(settingsQuery)
  const locales = settings?.locales ?? []
  const rows = query.data?.items ?? []
  const selection = useSelection()
  const [isInUse, setInUse] = useState(false)
  const { rowActions, dialog } = useRowActions(me, isInUse)
  const bulk = useBulkActions({ me, type, rows, selection })
  const columns = useColumns(me, { type, locales: locales.length, url })
  const list = useRef<HTMLDivElement>(null)
  useListCommands(type, writes, path)
  useListKeys({ list, path, rows, selection, writes, type })
  const filter = (changes: Partial<ListFilter>) => url.set({ ...changes, page: '' })
  const sort = toSort(asked.sort, type.fields)
  const own = {
    type,
    conditions: readConditions(asked.where, type.fields),
    onChange: (conditions: readonly Condition[]) => filter({ where: writeConditions(conditions) }),
  }
  const search = searchOf({ ...asked, columns: columns.inAddress })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing to press; what only menus show is asked for when somebody comes near
    <div ref={list} onPointerEnter={() => setInUse(true)} onFocus={() => setInUse(true)}>
      <ViewTabs
        path={path}
        search={search}
        kept={searchOf({ ...asked, columns: columns.kept })}
        storeKey={`${me.id}:views:${type.name}`}
      />
      {bulk.notice}
      <DataTable
        label={type.labelPlural}
        columns={columnsOf(type, columns)}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(entry) => entry.id}
        rowName={titleOf}
        rowTo={entryPath}
        rowActions={rowActions}
        {...(sort ? { sort } : {})}
        onSort={(next) => url.set({ sort: fromSort(next), page: '' })}
        {...(writes ? { selection, bulkActions: bulk.actions } : {})}
        toolbar={
          <>
            <ListFilters
              me={me}
              type={type}
              filter={asked}
              locales={locales}
              rows={rows}
              isInUse={isInUse}
              onFilter={filter}
            />
            <OwnFilter {...own} />
            <ColumnMenu options={columns.options} chosen={columns.chosen} onChoose={columns.onChoose} />
            <OwnConditions {...own} />
          </>
        }
        onClearFilters={isNarrowed(asked) || asked.page > 1 ? () => filter(NO_FILTER) : undefined}
        empty={empty}
        {...(query.data ? { pager: sizedPagerOf(query.data, url) } : {})}
      />
      {bulk.layers}
      {dialog}
    </div>
  )
}

type ColumnsOf = { type: ContentType; locales: number; url: UrlState }

/** The columns in the address, which a view sets, or else those that the person chose for this type. */
const useColumns = (me: Me, { type, locales, url }: ColumnsOf) => {
  const options = columnOptions(type, locales)
  const usual = defaultColumns(type, locales)
  const [stored, store] = useStored(`${me.id}:columns:${type.name}`, asStored)
  const inAddress = url.get('columns')
  const chosen = readColumns(options, usual)(inAddress === '' ? stored : inAddress.split(','))
  const isUsual = chosen.join() === usual.join()
  return {
    options,
    chosen,
    isUsual,
    inAddress,
    /** The columns that a view stores; empty for the default ones. */
    kept: isUsual ? '' : chosen.join() || NO_COLUMNS,
    onChoose: (columns: readonly string[] | undefined) => {
      if (inAddress === '') store(columns)
      else url.set({ columns: columns === undefined ? '' : columns.join() || NO_COLUMNS })
    },
  }
}

/** The title alone: no column is called so. */
const NO_COLUMNS = 'none'

// Which columns there are can change after it was stored: it is read with them each time
const asStored = (stored: unknown): unknown => stored

const sizedPagerOf = (list: List<unknown>, url: UrlState) => ({
  ...pagerOf(list, (page) => {
    turnIn(url)(page)
    // The next page begins at its top
    scrollTo({ top: 0 })
  }),
  size: {
    value: list.meta.limit,
    options: PAGE_SIZES,
    onSize: (size: number) => url.set({ limit: size === PAGE_SIZES[0] ? '' : String(size), page: '' }),
  },
})

/** Beginning an entry, and the ready filters. */
const useListCommands = (type: ContentType, writes: boolean, path: string): void => {
  const navigateTo = useNavigateTo()
  const create = newEntryAction(type)
  const views = quickViews.map(({ name, search }) => ({
    id: `view-${name}`,
    label: `Show ${name === 'All' ? `all ${inSentence(type.labelPlural)}` : inSentence(name)}`,
    icon: <Bookmark aria-hidden />,
    keywords: ['filter', 'view'],
    onRun: () => navigateTo(search === '' ? path : `${path}?${search}`),
  }))
  const begin = { ...create, shortcut: 'n', onRun: () => navigateTo(`${path}/new`) }
  useCommands(type.labelPlural, writes ? [begin, ...views] : views)
}

type ListKeysOptions = {
  list: RefObject<HTMLElement | null>
  path: string
  rows: readonly EntryItem[]
  selection: Selection
  writes: boolean
  type: ContentType
}

/** `n` begins an entry, `j` and `k` walk over the rows, `x` chooses one. */
const useListKeys = ({ list, path, rows, selection, writes, type }: ListKeysOptions): void => {
  const navigateTo = useNavigateTo()
  const links = () =>
    [...(list.current?.querySelectorAll('tbody tr') ?? [])].flatMap((row) => row.querySelector<HTMLElement>('a') ?? [])
  const current = () =>
    links().findIndex((link) => document.activeElement !== null && link.closest('tr')?.contains(document.activeElement))
  const walk = (step: number) => {
    const all = links()
    const next = all[Math.max(0, Math.min(all.length - 1, current() + step))]
    next?.focus()
  }
  const group = 'This screen'
  useShortcut({
    keys: 'n',
    description: `New ${inSentence(type.label)}`,
    group,
    enabled: writes,
    onPress: () => navigateTo(`${path}/new`),
  })
  useShortcut({ keys: 'j', description: 'Next row', group, onPress: () => walk(1) })
  useShortcut({ keys: 'k', description: 'Previous row', group, onPress: () => walk(-1) })
  useShortcut({
    keys: 'x',
    description: 'Select the row',
    group,
    enabled: writes,
    onPress: () => {
      const row = rows[current()]
      if (row)
        selection.toggle(
          row.id,
          rows.map(({ id }) => id),
          false,
        )
    },
  })
}
