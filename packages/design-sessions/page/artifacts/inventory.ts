import type { InventoryItem } from '../../src/records/inventory.ts'
import { element, prose } from '../kit/element.ts'
import { lineField, numberField, proseField } from '../kit/field.ts'
import { recordList } from '../kit/record-list.ts'

/** Tables and lists that a version is based on. */
export function inventory(path: string): Promise<HTMLElement> {
  return recordList<InventoryItem>({
    path: `${path}/inventory`,
    noun: 'list',
    nothing: 'No lists yet.',
    fields: [
      lineField('name', 'Name', { isRequired: true }),
      lineField('data_type', 'Kind', { isRequired: true, hint: 'Such as server_list.' }),
      proseField('description', 'Description', { empty: null }),
      proseField('data', 'Data', { isRequired: true, hint: 'CSV, JSON or text.' }),
      numberField('sort_order', 'Order'),
    ],
    initial: { name: '', data_type: 'custom', description: null, data: '', sort_order: 0 },
    title: ({ name }) => name,
    shown: ({ data_type: type, description, data }) => [
      element('p', { className: 'pale' }, type),
      ...(description === null ? [] : [prose(description)]),
      element('details', {}, element('summary', {}, 'Data'), element('pre', { tabIndex: 0 }, data)),
    ],
  })
}
