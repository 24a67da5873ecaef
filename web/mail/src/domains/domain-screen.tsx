import type { DnsRecordSet } from '@stoa/mail-model/dns.ts'
import type { DomainWithRecords } from '@stoa/mail-model/domains.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { ScreenSkeleton } from '@stoa/ui/feedback/screen-skeleton.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { AtSign, Ellipsis, FileText, Globe, Trash2, UploadCloud } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../api.ts'
import { Gone } from '../not-found-notice.tsx'
import { DeleteDomain } from './delete-domain.tsx'
import { DkimTab } from './dkim-tab.tsx'
import { CheckButton } from './dns/check-parts.tsx'
import { DnsTab } from './dns/dns-tab.tsx'
import { useCheck } from './dns/use-check.ts'
import { ZoneDialog } from './dns/zone-dialog.tsx'
import { PublishDialog } from './publish/publish-dialog.tsx'
import { dnsQuery, domainQuery } from './queries.ts'
import { ReportsTab } from './reports/reports-tab.tsx'
import { RoutingTab } from './routing-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { DomainBadge } from './status-badge.tsx'

const tabNames = ['dns', 'dkim', 'routing', 'settings', 'reports'] as const
type TabName = (typeof tabNames)[number]

/** One domain: its DNS, keys, routing, settings and reports. */
export const DomainScreen = () => {
  const { domainId = '' } = useParams({ strict: false })
  // The service reports the deletion while this screen is still being left: nothing of it is requested again
  const [deletedId, setDeletedId] = useState<string>()
  const isDeleted = deletedId === domainId
  const domain = useQuery({ ...domainQuery(domainId), enabled: !isDeleted })
  const dns = useQuery({ ...dnsQuery(domainId), enabled: !isDeleted })
  if (isDeleted) return <ScreenSkeleton label="Loading domains" tabs />
  if (domain.data && dns.data)
    return <DomainView key={domainId} domain={domain.data} set={dns.data} onDeleted={() => setDeletedId(domainId)} />
  const error = domain.error ?? dns.error
  if (!error) return <ScreenSkeleton label="Loading domain" tabs />
  if (hasName(error, 'not_found')) return <Gone icon={<Globe />} thing="domain" to="/domains" list="domains" />
  return (
    <Crash
      isScreen
      title="Couldn't load this domain"
      onRetry={() => {
        void domain.refetch()
        void dns.refetch()
      }}
    >
      {messageOf(error)}
    </Crash>
  )
}

type DomainViewProps = { domain: DomainWithRecords; set: DnsRecordSet; onDeleted: () => void }

const DomainView = ({ domain, set, onDeleted }: DomainViewProps) => {
  const url = useUrlState()
  const navigateTo = useNavigateTo()
  const [open, setOpen] = useState<'zone' | 'delete'>()
  const tab = tabNames.find((name) => name === url.get('tab')) ?? 'dns'
  const check = useCheck(set, { isOpen: tab === 'dns' })
  const show = (next: TabName) => url.set({ tab: next === 'dns' ? '' : next, type: '', q: '', page: '', report: '' })
  const publish = () => url.set({ publish: '1' })
  return (
    <>
      <title>{`${domain.unicode_name} · Domains · Stoa Mail`}</title>
      <PageHeader
        crumbs={[{ label: 'Domains', to: '/domains' }]}
        title={domain.unicode_name}
        badge={<DomainBadge status={domain.status} />}
        {...(domain.unicode_name === domain.name
          ? {}
          : { description: <span className="break-all font-mono text-xs">{domain.name}</span> })}
        actions={
          <>
            <CheckButton check={check} />
            <Button icon={<UploadCloud />} onClick={publish}>
              Publish records
            </Button>
            <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
              <MenuItem icon={<AtSign />} onSelect={() => navigateTo(`/addresses?domain=${domain.id}`)}>
                Addresses
              </MenuItem>
              <MenuItem icon={<FileText />} onSelect={() => setOpen('zone')}>
                Zone file
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} danger onSelect={() => setOpen('delete')}>
                Delete domain
              </MenuItem>
            </Menu>
          </>
        }
      />
      <Tabs
        label="Domain"
        value={tab}
        onValue={show}
        asksBeforeLeaving
        tabs={[
          {
            value: 'dns',
            label: 'DNS records',
            content: (
              <DnsTab domain={domain} set={set} check={check} onPublish={publish} onZone={() => setOpen('zone')} />
            ),
          },
          { value: 'dkim', label: 'DKIM keys', content: <DkimTab domain={domain} /> },
          { value: 'routing', label: 'Routing', content: <RoutingTab domain={domain} /> },
          {
            value: 'settings',
            label: 'Settings',
            content: <SettingsTab domain={domain} onDelete={() => setOpen('delete')} />,
          },
          { value: 'reports', label: 'Reports', content: <ReportsTab domain={domain} /> },
        ]}
      />
      {url.get('publish') ? (
        <PublishDialog domain={domain} set={set} check={check} onClose={() => url.set({ publish: '' })} />
      ) : null}
      {open === 'zone' ? <ZoneDialog domain={domain} onClose={() => setOpen(undefined)} /> : null}
      <DeleteDomain
        domain={open === 'delete' ? domain : undefined}
        onClose={() => setOpen(undefined)}
        onDeleted={() => {
          onDeleted()
          navigateTo('/domains')
        }}
      />
    </>
  )
}
