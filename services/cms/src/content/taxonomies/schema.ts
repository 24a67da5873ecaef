import { listQuery, searchText } from '@stoa/cms-model/lists.ts'
import { slug } from '@stoa/cms-model/slugs.ts'
import { type Taxonomy, type Term, taxonomyName } from '@stoa/cms-model/taxonomies.ts'
import { z } from 'zod'
import type { TaxonomyWithTerms } from './taxonomies.ts'
import type { CountedTerm } from './terms/terms.ts'

export const nameParams = z.object({ name: taxonomyName })
export const termParams = z.object({ name: taxonomyName, slug })
export const taxonomiesQuery = listQuery({})
export const termsQuery = listQuery({ q: searchText.optional() })

export const termJson = (term: CountedTerm): Term => ({
  id: term.id,
  slug: term.slug,
  name: term.name,
  description: term.description,
  parentId: term.parentId,
  position: term.position,
  count: term.count,
  version: term.version,
})

export const taxonomyJson = (taxonomy: TaxonomyWithTerms): Taxonomy => ({
  id: taxonomy.id,
  name: taxonomy.name,
  label: taxonomy.label,
  hierarchical: taxonomy.hierarchical,
  types: taxonomy.types,
  terms: taxonomy.terms.map(termJson),
  termCount: taxonomy.termCount,
  version: taxonomy.version,
})
