/** The content of the demonstration of a design session: a shop that leaves its own cellar. */

export const CLIENT = 'Harbour Outfitters'

interface Project {
  readonly name: string
  readonly description: string
  readonly cloud_providers: readonly string[]
}

export const PROJECT: Project = {
  name: 'Web shop 2',
  description:
    'Hybrid cloud: the shop front and its sessions move to AWS, while stock and accounting stay ' +
    'on VMware in our own data centre, joined by a private link. 40,000 orders a day; ' +
    'infrastructure as code with Terraform, watched with Prometheus.',
  cloud_providers: ['vmware', 'aws'],
}

/** What is known of the shop, for a first workshop. */
export const FACTS: Readonly<Record<string, string>> = {
  personal_data: 'yes',
  tenants: 'one',
  hosting: 'own',
  lasting_data: 'yes',
  load: 'high',
  software: 'built',
  messages: 'yes',
  partners: 'yes',
  predecessor: 'yes',
  stage: 'first',
}

export interface Asked {
  readonly question_text: string
  readonly category: string
  readonly answer_text: string
}

/** The answer to what is asked first where hardware is the client's own. */
export const HOSTING_ANSWER =
  'Own hardware in one leased cage: eight hosts, bought 2024, written off in 2029.'

export const QUESTIONS: readonly Asked[] = [
  {
    question_text: 'What recovery time and recovery point does the business accept?',
    category: 'dr',
    answer_text: 'One hour and five minutes for orders; a day and a night for reports.',
  },
  {
    question_text: 'How are AWS and the data centre connected, and what if that fails?',
    category: 'networking',
    answer_text: 'Direct Connect with a VPN behind it; orders queue while both are down.',
  },
  {
    question_text: 'Who may administer what, and how do they log in?',
    category: 'identity',
    answer_text: 'Single sign-on with hardware keys; roles by team, reviewed each quarter.',
  },
  {
    question_text: 'Which personal data is kept where, and how is it encrypted?',
    category: 'compliance',
    answer_text: 'Customers in Frankfurt only, encrypted at rest with keys of our own.',
  },
  {
    question_text: 'How many orders come at the busiest hour, and how does the load grow?',
    category: 'scaling',
    answer_text:
      '9,000 an hour on the Friday before Christmas, a third more each year. The shop front has ' +
      'two to twelve instances, added at 60 % of processor time.',
  },
  {
    question_text: 'Which machines does the shop front need?',
    category: 'compute',
    answer_text: 'Two vCPUs and 4 GiB each, on Graviton; stock and accounting keep their hosts.',
  },
  {
    question_text: 'Which data is stored where, how much of it, and how fast does it grow?',
    category: 'storage',
    answer_text: 'Sessions in DynamoDB, 20 GiB; orders in accounting, 400 GiB and 60 more a year.',
  },
  {
    question_text: 'Who is on call, and how is a release rolled back?',
    category: 'operations',
    answer_text:
      'Two teams of four, a week each. A release goes to one zone first and is taken back by ' +
      'the previous Terraform plan within ten minutes.',
  },
  {
    question_text: 'What is monitored, and when is someone called?',
    category: 'monitoring',
    answer_text:
      'Prometheus on both sides: orders per minute, length of the queue, state of the link. ' +
      'Someone is called when the queue is older than two minutes.',
  },
  {
    question_text: 'In which steps does the shop move?',
    category: 'migration',
    answer_text:
      '1. The link and the queue, with the old shop front.\n' +
      '2. The new front for a tenth of the visitors.\n' +
      '3. All visitors; the old front stays for a month.',
  },
  {
    question_text: 'What may it cost a month, and what sets the costs?',
    category: 'cost',
    answer_text:
      '4,500 EUR: 2,100 for the link, 1,400 for the shop front, 600 for the queue and sessions, ' +
      '400 for monitoring; prices of Frankfurt, on demand.',
  },
  {
    question_text: 'What is missing?',
    category: 'requirements',
    answer_text: 'Nothing that the first release needs.',
  },
]

interface Decision {
  readonly title: string
  readonly context: string
  readonly decision: string
  readonly consequences: string
  readonly status: string
}

export const DECISIONS: readonly Decision[] = [
  {
    title: 'Keep stock and accounting on VMware',
    context: 'Both are written off in 2029 only, and neither has to scale.',
    decision: 'They stay on the present vSphere cluster; the shop reaches them by a private link.',
    consequences: 'Two platforms to run; a move is planned with the next hardware.',
  },
  {
    title: 'Direct Connect, and a VPN behind it',
    context: 'Orders must reach accounting within five minutes.',
    decision: 'One Direct Connect of 1 Gbit/s; a site-to-site VPN takes over by BGP.',
    consequences: 'During a switch-over orders wait in a queue for up to a minute.',
  },
  {
    title: 'Terraform as infrastructure-as-code tool',
    context: 'The team knows it, and it covers AWS and vSphere.',
    decision: 'All of both sides is Terraform; state lies encrypted in S3 with locking.',
    consequences: 'No change by hand; drift is looked for every night.',
  },
].map((decision) => ({ ...decision, status: 'accepted' }))

interface Diagram {
  readonly name: string
  readonly detail_level: string
  readonly engine: string
  readonly source_code: string
  readonly artifact_type: string
  readonly sort_order: number
}

/** A diagram per level of detail, in as many engines. */
export const DIAGRAMS: readonly Diagram[] = [
  {
    name: 'Conceptual view',
    detail_level: 'conceptual',
    engine: 'd2',
    source_code: `direction: down
customers: Customers { shape: person }
aws: AWS { front: Shop front; queue: Order queue; front -> queue }
cellar: Own data centre { stock: Stock; books: Accounting; stock -> books }
customers -> aws.front: order
aws.queue -> cellar.stock: private link
`,
  },
  {
    name: 'Logical view',
    detail_level: 'logical',
    engine: 'graphviz',
    source_code: `digraph {
  rankdir=LR; node [shape=box, style=rounded]
  subgraph cluster_aws { label="AWS"; edge_; front; orders; sessions }
  subgraph cluster_vmware { label="VMware"; stock; books }
  edge_ [label="Load balancer"]; front [label="Shop front"]; orders [label="Order queue"]
  sessions [label="Sessions"]; stock [label="Stock"]; books [label="Accounting"]
  edge_ -> front -> orders -> stock -> books; front -> sessions
}
`,
  },
  {
    name: 'Detailed view',
    detail_level: 'detailed',
    engine: 'diagrams_py',
    source_code: `from diagrams import Cluster, Diagram, Edge
from diagrams.aws.compute import EC2
from diagrams.aws.database import Dynamodb
from diagrams.aws.integration import SQS
from diagrams.aws.network import ELB
from diagrams.onprem.compute import Server

with Diagram("Web shop 2", show=False, direction="LR"):
    balancer = ELB("balancer")
    with Cluster("Two zones"):
        fronts = [EC2("front a"), EC2("front b")]
    orders = SQS("orders")
    with Cluster("Own data centre"):
        stock = Server("stock")
    balancer >> fronts >> orders
    fronts >> Dynamodb("sessions")
    orders >> Edge(label="Direct Connect") >> stock
`,
  },
  {
    name: 'Security view',
    detail_level: 'detailed',
    engine: 'mermaid',
    source_code: `flowchart TB
  customer([Customer]) -->|TLS 1.3| waf[Web application firewall]
  waf --> front[Shop front]
  front -->|own role| queue[Order queue]
  queue -->|encrypted link| stock[Stock]
  admin([Administrator]) -->|hardware key| sso[Single sign-on]
  sso --> front
  sso --> stock
`,
  },
].map((diagram, sort_order) => ({ ...diagram, artifact_type: 'diagram', sort_order }))

/** What documents are called, by the template they come from. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  architecture: 'Architecture document',
  'cost-estimate': 'Cost estimate',
  'design-document': 'Design document',
  'coverage-checklist': 'Coverage checklist',
  'iac-plan': 'Infrastructure as code',
  runbook: 'Runbook',
}
