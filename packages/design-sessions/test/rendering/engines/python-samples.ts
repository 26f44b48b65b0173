/** Programs as architects write them. */
export const pythonSamples: Readonly<Record<string, string>> = {
  'card payments': `from diagrams import Cluster, Diagram, Edge
from diagrams.aws.compute import EKS, Lambda
from diagrams.aws.database import Aurora, ElastiCache
from diagrams.aws.integration import SQS
from diagrams.aws.network import ELB, Route53
from diagrams.aws.security import KMS, WAF
from diagrams.aws.storage import S3
from diagrams.custom import Custom
from diagrams.onprem.client import Users

REGIONS = ["Frankfurt", "Dublin"]

def region(name: str, replicas: int = 2):
    with Cluster(f"{name}"):
        with Cluster("Authorisation"):
            pods = [EKS(f"auth {i + 1}") for i in range(replicas)]
        cache = ElastiCache("limits")
        ledger = Aurora(f"ledger\\n{name.lower()}")
        pods >> Edge(color="darkorange", style="dashed") >> cache
        pods >> ledger
    return pods, ledger

if __name__ == "__main__":
    with Diagram("Card payments: target architecture", direction="LR", theme="neutral"):
        holders = Users("Card holders")
        edge = Route53("dns") >> WAF("rules") >> ELB("entry")
        holders >> Edge(label="TLS 1.3", color="darkgreen") >> edge
        ledgers = []
        for name in REGIONS:
            pods, ledger = region(name)
            edge >> pods
            ledgers.append(ledger)
        ledgers[0] - Edge(label="replicates", style="dotted") - ledgers[1]
        events = SQS("settlement events")
        ledgers >> events >> Lambda("clearing") >> [S3("archive"), Custom("Scheme", "scheme.png")]
        KMS("keys") >> ledgers[0]
`,
  'kubernetes and products': `from diagrams import Cluster, Diagram
from diagrams.k8s.clusterconfig import HPA
from diagrams.k8s.compute import Deployment, Pod, ReplicaSet
from diagrams.k8s.network import Ingress, Service
from diagrams.k8s.storage import PV, PVC
from diagrams.onprem.database import PostgreSQL
from diagrams.onprem.inmemory import Redis
from diagrams.onprem.monitoring import Grafana, Prometheus
from diagrams.onprem.queue import Kafka
from diagrams.programming.language import Go, Rust

with Diagram("Shop", theme="blues"), Cluster("Namespace shop"):
    net = Ingress("shop.example") >> Service("web")
    replicas = [Pod(f"web {n}") for n in range(3)]
    net >> replicas << ReplicaSet("rs") << Deployment("web") << HPA("2..9")
    pods = Pod("orders")
    net >> pods >> [PostgreSQL("orders"), Redis("carts"), Kafka("events")]
    pods - PVC("claim") - PV("disk")
    Prometheus("metrics") << Grafana("boards")
    Go("catalogue") >> Rust("prices")
`,
  'three clouds': `from diagrams import Diagram, Edge
from diagrams.aws.storage import S3
from diagrams.azure.compute import FunctionApps, VM
from diagrams.azure.database import CosmosDb
from diagrams.gcp.analytics import BigQuery, PubSub
from diagrams.generic.network import Firewall
from diagrams.ibm.network import LoadBalancer
from diagrams.oci.compute import Container
from diagrams.openstack.compute import Nova

with Diagram("Three clouds", direction="TB", theme="pastel"):
    wall = Firewall("edge")
    wall >> VM("legacy") >> CosmosDb("profiles") << FunctionApps("sync")
    wall >> PubSub("topics") >> BigQuery("warehouse") >> Edge(label="export") >> S3("lake")
    wall >> LoadBalancer("ibm") >> Container("oci") >> Nova("openstack")
`,
  'containers of C4': `from diagrams import Diagram
from diagrams.c4 import Container, Database, Person, Relationship, System, SystemBoundary

with Diagram("Containers of the migration", direction="TB"):
    clerk = Person(name="Settlement clerk", description="Checks what was not matched.")
    with SystemBoundary("Card platform"):
        web = Container(name="Console", technology="TypeScript", description="Shows open cases.")
        api = Container(name="Cases", technology="Go", description="Keeps cases and their history.")
        store = Database(name="Case store", technology="PostgreSQL", description="Cases, notes.")
    scheme = System(name="Card scheme", description="Delivers clearing files.", external=True)
    clerk >> Relationship("Works with") >> web >> Relationship("Calls [JSON/HTTPS]") >> api
    api >> Relationship("Reads and writes") >> store
    scheme >> Relationship("Sends files [SFTP]") >> api
`,
}
