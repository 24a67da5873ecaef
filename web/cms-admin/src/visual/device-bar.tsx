import { useStored } from '@stoa/ui/browser/stored.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { RotateCw } from 'lucide-react'

/** Widths that people look at pages with, in the order of the keys 1 to 6; null takes the room that there is. */
const DEVICES = [
  { value: '360', label: 'Small phone, 360', width: 360 },
  { value: '390', label: 'Phone, 390', width: 390 },
  { value: '768', label: 'Tablet, 768', width: 768 },
  { value: '1024', label: 'Laptop, 1024', width: 1024 },
  { value: '1280', label: 'Desktop, 1280', width: 1280 },
  { value: 'full', label: 'Full width', width: null },
] as const

type DeviceName = (typeof DEVICES)[number]['value']

/** How large the page is drawn: as large as there is room for, or by a part of its real size. */
const ZOOMS = [
  { value: 'fit', label: 'Fit', zoom: 'fit' },
  { value: '50', label: '50%', zoom: 0.5 },
  { value: '75', label: '75%', zoom: 0.75 },
  { value: '100', label: '100%', zoom: 1 },
] as const

type ZoomName = (typeof ZOOMS)[number]['value']

export type Device = {
  name: DeviceName
  width: number | null
  choose: (name: DeviceName) => void
  zoomName: ZoomName
  zoom: number | 'fit'
  chooseZoom: (name: ZoomName) => void
}

const readDevice = (stored: unknown): DeviceName => DEVICES.find(({ value }) => value === stored)?.value ?? 'full'

const readZoom = (stored: unknown): ZoomName => ZOOMS.find(({ value }) => value === stored)?.value ?? 'fit'

/** The width of the page and its zoom; the browser keeps both. */
export const useDevice = (): Device => {
  const [name, choose] = useStored('cms:canvas-width', readDevice)
  const [zoomName, chooseZoom] = useStored('cms:canvas-zoom', readZoom)
  const width = DEVICES.find(({ value }) => value === name)?.width ?? null
  const zoom = ZOOMS.find(({ value }) => value === zoomName)?.zoom ?? 'fit'
  return { name, width, choose, zoomName, zoom, chooseZoom }
}

type DeviceBarProps = { device: Device; isLoading: boolean; problem: string | null; onReload: () => void }

export const DeviceBar = ({ device, isLoading, problem, onReload }: DeviceBarProps) => (
  <div className="flex h-10 shrink-0 items-center gap-2 border-line border-b bg-surface px-3">
    {DEVICES.map(({ value, label }, index) => (
      <DeviceShortcut key={value} keys={`${index + 1}`} label={label} onPress={() => device.choose(value)} />
    ))}
    <Select
      aria-label="Page width"
      className="max-w-44"
      value={device.name}
      options={DEVICES.map(({ value, label }) => ({ value, label }))}
      onValue={(name) => device.choose(readDevice(name))}
    />
    <Select
      aria-label="Zoom"
      className="max-w-24"
      value={device.zoomName}
      options={ZOOMS.map(({ value, label }) => ({ value, label }))}
      onValue={(name) => device.chooseZoom(readZoom(name))}
    />
    <span role="status" className="ml-auto flex items-center gap-2 truncate text-muted text-xs">
      {isLoading ? <Spinner className="size-3.5" /> : null}
      {isLoading ? <span className="sr-only">Updating the page</span> : problem}
    </span>
    <IconButton size="sm" label="Reload preview" icon={<RotateCw />} onClick={onReload} />
  </div>
)

type DeviceShortcutProps = { keys: string; label: string; onPress: () => void }

const DeviceShortcut = ({ keys, label, onPress }: DeviceShortcutProps) => {
  useShortcut({ keys, description: `Page width: ${label}`, group: 'Page', onPress })
  return null
}
