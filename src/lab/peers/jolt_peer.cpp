// jolt_peer.cpp: the soft body of Jolt Physics on the constraints of peer.h: one body, an edge for
// each. Jolt groups edges itself and so projects them in an order of its own. They are hard, or
// have the compliance of JOLT_COMPLIANCE, m/N. Built by jolt.py.
#include <Jolt/Jolt.h>
// the rest of Jolt after it
#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/JobSystemThreadPool.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyLock.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/Physics/SoftBody/SoftBodyCreationSettings.h>
#include <Jolt/Physics/SoftBody/SoftBodyMotionProperties.h>
#include <Jolt/RegisterTypes.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

extern "C" {
#include "peer.h"
}

namespace {

// All is in one layer, and collides with nothing: there is one body.
class Layers final : public JPH::BroadPhaseLayerInterface,
                     public JPH::ObjectVsBroadPhaseLayerFilter,
                     public JPH::ObjectLayerPairFilter {
 public:
  JPH::uint GetNumBroadPhaseLayers() const override { return 1; }
  JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer) const override {
    return JPH::BroadPhaseLayer(0);
  }
#if defined(JPH_EXTERNAL_PROFILE) || defined(JPH_PROFILE_ENABLED)
  const char *GetBroadPhaseLayerName(JPH::BroadPhaseLayer) const override { return "all"; }
#endif
  bool ShouldCollide(JPH::ObjectLayer, JPH::BroadPhaseLayer) const override { return false; }
  bool ShouldCollide(JPH::ObjectLayer, JPH::ObjectLayer) const override { return false; }
};

struct Cloth {
  int size = 0;
  Layers layers;
  JPH::PhysicsSystem system;
  std::unique_ptr<JPH::TempAllocator> memory;
  std::unique_ptr<JPH::JobSystem> jobs;
  JPH::BodyID body;
};

float compliance() {
  const char *text = std::getenv("JOLT_COMPLIANCE");
  return text ? std::strtof(text, nullptr) : 0.0f;
}

JPH::Ref<JPH::SoftBodySharedSettings> sheet_of(int size) {
  JPH::Ref<JPH::SoftBodySharedSettings> sheet = new JPH::SoftBodySharedSettings;
  for (int i = 0; i < size * size; ++i) {
    float x[3];
    peer_start(size, i / size, i % size, x);
    sheet->mVertices.push_back({JPH::Float3(x[0], x[1], x[2]), JPH::Float3(0, 0, 0),
                                peer_inverse_mass(size, i / size, i % size)});
  }
  const float soft = compliance();
  for (const peer_colour &colour : peer_colours)
    for (int i = 0; i < size * size; ++i) {
      if (!peer_has(&colour, size, i / size, i % size)) continue;
      JPH::SoftBodySharedSettings::Edge edge(
          JPH::uint32(i), JPH::uint32(i + colour.down * size + colour.right), soft);
      edge.mRestLength = peer_rest(&colour, size);
      sheet->mEdgeConstraints.push_back(edge);
    }
  sheet->Optimize();
  return sheet;
}

// A frame is one update, and an iteration of a soft body a substep.
void add_sheet(Cloth *cloth) {
  JPH::SoftBodyCreationSettings settings(sheet_of(cloth->size), JPH::RVec3::sZero(),
                                         JPH::Quat::sIdentity(), 0);
  settings.mNumIterations = PEER_SUBSTEPS;
  settings.mLinearDamping = 0;
  settings.mUpdatePosition = false;
  settings.mAllowSleeping = false;
  cloth->body =
      cloth->system.GetBodyInterface().CreateAndAddSoftBody(settings, JPH::EActivation::Activate);
}

std::unique_ptr<JPH::JobSystem> jobs_of(int threads) {
  if (threads == 1) return std::make_unique<JPH::JobSystemSingleThreaded>(JPH::cMaxPhysicsJobs);
  return std::make_unique<JPH::JobSystemThreadPool>(JPH::cMaxPhysicsJobs, JPH::cMaxPhysicsBarriers,
                                                    threads - 1);
}

void *create(const peer_task *task) {
  JPH::RegisterDefaultAllocator();
  JPH::Factory::sInstance = new JPH::Factory;
  JPH::RegisterTypes();
  Cloth *cloth = new Cloth;
  cloth->size = task->size;
  cloth->memory = std::make_unique<JPH::TempAllocatorMalloc>();
  cloth->jobs = jobs_of(task->threads);
  cloth->system.Init(1, 0, 1, 1, cloth->layers, cloth->layers, cloth->layers);
  cloth->system.SetGravity(JPH::Vec3(0, -float(PEER_GRAVITY), 0));
  add_sheet(cloth);
  return cloth;
}

bool step(void *cloth_) {
  Cloth *cloth = static_cast<Cloth *>(cloth_);
  JPH::EPhysicsUpdateError error = cloth->system.Update(float(PEER_DT * PEER_SUBSTEPS), 1,
                                                        cloth->memory.get(), cloth->jobs.get());
  if (error != JPH::EPhysicsUpdateError::None)
    std::fprintf(stderr, "Jolt: error %u in a step\n", unsigned(error));
  return error == JPH::EPhysicsUpdateError::None;
}

bool read(void *cloth_, float (*positions)[3]) {
  Cloth *cloth = static_cast<Cloth *>(cloth_);
  JPH::BodyLockRead lock(cloth->system.GetBodyLockInterface(), cloth->body);
  const JPH::Body &body = lock.GetBody();
  const JPH::Vec3 middle(body.GetCenterOfMassPosition());
  const auto *motion =
      static_cast<const JPH::SoftBodyMotionProperties *>(body.GetMotionProperties());
  for (const JPH::SoftBodyVertex &vertex : motion->GetVertices()) {
    (middle + vertex.mPosition).StoreFloat3(reinterpret_cast<JPH::Float3 *>(*positions++));
  }
  return true;
}

void destroy(void *cloth_) {
  Cloth *cloth = static_cast<Cloth *>(cloth_);
  cloth->system.GetBodyInterface().RemoveBody(cloth->body);
  cloth->system.GetBodyInterface().DestroyBody(cloth->body);
  delete cloth;
  JPH::UnregisterTypes();
  delete JPH::Factory::sInstance;
  JPH::Factory::sInstance = nullptr;
}

}  // namespace

int main(int argc, char **argv) {
  const peer_program program = {"jolt", create, step, read, destroy};
  return peer_main(&program, argc, argv);
}
