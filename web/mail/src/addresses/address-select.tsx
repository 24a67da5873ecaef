import type { Address } from '@stoa/mail-model/addresses.ts'
import { Select, type SelectOption } from '@stoa/ui/form/select.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addressesQuery, allAddressesQuery } from './queries.ts'

type AddressSelectProps = {
  /** The id of the address, or empty. */
  value: string
  onValue: (id: string, address: Address | undefined) => void
  /** Shown for the empty value where none is an answer too: "All addresses". */
  none?: string
  placeholder?: string
  /** Addresses that cannot be chosen. */
  exclude?: readonly string[]
  /** Only addresses of this domain. */
  domainId?: string
  'aria-label'?: string
  className?: string
}

/** One of the customer's addresses, by domain. With very many domains, the domain is chosen first. */
export const AddressSelect = (props: AddressSelectProps) => {
  const { data, error } = useQuery({ ...allAddressesQuery, enabled: props.domainId === undefined })
  if (props.domainId !== undefined) return <OfDomain key={props.domainId} {...props} domainId={props.domainId} />
  if (data && !data.complete) return <DomainFirst {...props} />
  return <Choice {...props} addresses={data?.addresses} grouped failed={error !== null} />
}

const OfDomain = (props: AddressSelectProps & { domainId: string }) => {
  const { data, error } = useQuery(addressesQuery(props.domainId))
  return <Choice {...props} addresses={data?.data} failed={error !== null} />
}

const DomainFirst = (props: AddressSelectProps) => {
  const { data } = useQuery(allAddressesQuery)
  const known = data?.addresses.find(({ id }) => id === props.value)
  const [domainId, setDomainId] = useState(known?.domain_id ?? data?.domains[0]?.id ?? '')
  return (
    <span className="flex min-w-0 flex-wrap gap-2">
      <Select
        aria-label="Domain"
        className="flex-1"
        value={domainId}
        options={(data?.domains ?? []).map(({ id, unicode_name: label }) => ({ value: id, label }))}
        onValue={setDomainId}
      />
      <OfDomain key={domainId} {...props} className="flex-1" domainId={domainId} />
    </span>
  )
}

type ChoiceProps = AddressSelectProps & {
  addresses: readonly Address[] | undefined
  grouped?: boolean
  failed: boolean
}

const Choice = ({ addresses, grouped, failed, ...props }: ChoiceProps) => {
  const { value, onValue, none, exclude = [], placeholder = 'Choose an address', className } = props
  const shown = (addresses ?? []).filter(({ id }) => !exclude.includes(id))
  const domains = new Set(shown.map(({ domain_id: id }) => id))
  const options: SelectOption[] = [
    ...(none === undefined ? [] : [{ value: '', label: none }]),
    // An address that is not read yet keeps its place
    ...(value !== '' && !shown.some(({ id }) => id === value) ? [{ value, label: failed ? 'Unknown' : '…' }] : []),
    ...shown.map(({ id, email }) => ({
      value: id,
      label: email,
      ...(grouped && domains.size > 1 ? { group: email.slice(email.lastIndexOf('@') + 1) } : {}),
    })),
  ]
  return (
    <Select
      aria-label={props['aria-label']}
      {...(className === undefined ? {} : { className })}
      value={value}
      options={options}
      {...(none === undefined ? { placeholder: failed ? "Couldn't load addresses" : placeholder } : {})}
      onValue={(id) =>
        onValue(
          id,
          shown.find((address) => address.id === id),
        )
      }
    />
  )
}
