"""Checks client.py with vectors/frames.json: what frames decode to, and ships at instants."""
import json, math, os, sys

import client

path = os.path.join(os.path.dirname(__file__), '..', 'vectors', 'frames.json')
with open(path) as file:
    vectors = json.load(file)
world = client.World('')
worst = dict.fromkeys(('states', 'position', 'velocity', 'attitude', 'fuel'), 0)
world.take({'type': 'welcome', 'frames': vectors['frames']})
world.take(vectors['system'])
world.know(vectors['ephemeris'])
names = [body['name'] for body in vectors['system']['system']['bodies']]
for step in vectors['steps']:
    frame, decoded, shown = bytes.fromhex(step['frame']), step['decoded'], step['shown']
    index, rows = client.read_frame(frame, world.tables)
    columns = {}
    for name, row in rows:
        for column, value in row.items():
            values = columns.setdefault(name, {}).setdefault(column, [])
            values += value if isinstance(value, tuple) else [value]
    if (index, columns) != (decoded['index'], decoded['blocks']):
        sys.exit(f'A frame of {index} decodes to something else.')
    world.take(frame)
    for ship in shown['ships']:
        reference, r, v, q, fuel = world.ship(ship['number'], shown['index'], shown['offset'])
        chord = min(math.dist(q, ship['attitude']), math.dist(q, [-x for x in ship['attitude']]))
        if world.at(world.hulls, ship['number'], shown['index'])['aimKind'] == 2:
            chord = 0  # The client does without rails.
        for key, value in {'position': math.dist(r, ship['position']),
                           'velocity': math.dist(v, ship['velocity']),
                           'attitude': 4 * math.asin(chord / 2),
                           'fuel': abs(fuel - ship['fuel'])}.items():
            worst[key] = max(worst[key], value)
        worst['states'] += names[reference] == ship['body']
print(json.dumps(worst))
