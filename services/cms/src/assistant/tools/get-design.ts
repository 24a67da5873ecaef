import type { DesignRecord } from '@stoa/cms-model/design.ts'
import { nothing } from './inputs.ts'
import { counted, present, read, result } from './reading.ts'
import { tool } from './tool.ts'

export const getDesign = tool({
  name: 'get_design',
  kind: 'read',
  permission: 'settings.manage',
  description: 'Design surfaces, supported properties, current overrides.',
  input: nothing,
  label: () => 'Reading the design',
  async run(reach) {
    const design = await read<DesignRecord>(reach, '/api/design')
    const surfaces = design.surfaces.map(({ id, label, version, properties }) => {
      reach.wasRead('surface', id, version)
      const set = properties.filter(({ overridden }) => overridden)
      return {
        ...{ id, label, version },
        properties: properties.map(({ key, label, type, options, min, max, units, default: own }) => ({
          ...{ key, label, type, default: own },
          ...present({ options, min, max, units }),
        })),
        overrides: Object.fromEntries(set.map(({ key, value }) => [key, value])),
      }
    })
    return result({ surfaces }, counted(surfaces.length, 'surface'))
  },
})
